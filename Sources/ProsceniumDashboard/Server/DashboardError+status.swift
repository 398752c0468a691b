// SPDX-License-Identifier: Apache-2.0

extension DashboardError {
  /// The status of the HTTP answer that tells a page of the error.
  var status: Int {
    switch code {
    case .wrongHost: 421
    case .unknownPath, .unknownSession: 404
    case .wrongMethod: 405
    case .missingLength: 411
    case .bodyTooLarge: 413
    case .tooManyPages: 503
    case .wrongSite, .readOnly, .missingToken, .wrongToken: 403
    case .badParameter: 400
    case .requestRefused: 409
    default: 500
    }
  }
}
