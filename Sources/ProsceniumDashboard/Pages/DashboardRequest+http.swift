// SPDX-License-Identifier: Apache-2.0

import FlyingFox

extension DashboardRequest {
  /// Takes what decides from a request of the server's library.
  init(_ request: HTTPRequest) {
    self.init(
      method: request.method.rawValue, path: request.path, host: request.headers[.host],
      token: request.headers[HTTPHeader(Self.tokenHeader)],
      site: request.headers[HTTPHeader("Sec-Fetch-Site")],
      bodyLength: request.bodySequence.count)
  }
}
