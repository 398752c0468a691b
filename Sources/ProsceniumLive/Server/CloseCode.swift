// SPDX-License-Identifier: Apache-2.0

/// Why a WebSocket is closed, as the other side is told; 4,000 and above are the host's own.
enum CloseCode: UInt16, Sendable {
  case normal = 1000
  case goingAway = 1001
  case protocolError = 1002
  case notText = 1003
  case notUTF8 = 1007
  case notAllowed = 1008
  case tooLarge = 1009
  case busy = 1013
  /// The token is not good, or not any more.
  case noToken = 4401
  /// The session is not the user's.
  case foreignSession = 4403

  init(_ cause: RefusalCause?) {
    self =
      switch cause {
      case .tooLarge: .tooLarge
      case .notText: .notText
      case .notUTF8: .notUTF8
      case .wrongProtocol: .protocolError
      case .wrongOrigin, .wrongHost, .tooFast, .neverReads, .silent: .notAllowed
      case .noToken, .expiredToken, .forgedToken: .noToken
      case .foreignSession: .foreignSession
      case .tooManyConnections: .busy
      case nil: .normal
      }
  }
}
