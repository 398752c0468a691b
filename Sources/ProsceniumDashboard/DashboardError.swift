// SPDX-License-Identifier: Apache-2.0

import FlyingSocks

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a dashboard does not run, or why it refuses what a page asks for.
public struct DashboardError: Error, Sendable, Equatable {
  /// What kind of error it is; new ones may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Another program listens on the port.
    public static let portInUse = Code(rawValue: "portInUse")
    /// The system does not let the program listen on the port.
    public static let portRefused = Code(rawValue: "portRefused")
    /// The server was run before, or has ended.
    public static let alreadyRun = Code(rawValue: "alreadyRun")
    /// The system's sockets failed.
    public static let serverFailed = Code(rawValue: "serverFailed")
    /// A request names another host than this machine by its own name and port.
    public static let wrongHost = Code(rawValue: "wrongHost")
    /// A page of another site asks for updates or for an action.
    public static let wrongSite = Code(rawValue: "wrongSite")
    /// There is nothing at the path of a request.
    public static let unknownPath = Code(rawValue: "unknownPath")
    /// The path of a request is there, but not for its method.
    public static let wrongMethod = Code(rawValue: "wrongMethod")
    /// A request does not say how long its body is.
    public static let missingLength = Code(rawValue: "missingLength")
    /// The body of a request is too long.
    public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
    /// As many pages are open as may be.
    public static let tooManyPages = Code(rawValue: "tooManyPages")
    /// The dashboard was made without a token: nothing can be done with it.
    public static let readOnly = Code(rawValue: "readOnly")
    /// An action came without a token.
    public static let missingToken = Code(rawValue: "missingToken")
    /// An action came with another token.
    public static let wrongToken = Code(rawValue: "wrongToken")
    /// A parameter of an action is missing, unknown, or out of its range.
    public static let badParameter = Code(rawValue: "badParameter")
    /// An action is about a session that is not open.
    public static let unknownSession = Code(rawValue: "unknownSession")
    /// The application refused what an action asked for.
    public static let requestRefused = Code(rawValue: "requestRefused")
  }

  /// What kind of error it is.
  public let code: Code

  /// What was expected and what was found, as a sentence.
  public let message: String

  /// Creates an error.
  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension DashboardError: CustomStringConvertible {
  /// The code and the message in one line.
  public var description: String { "\(code.rawValue): \(message)" }
}

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

  /// What an error of the server's sockets means.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - port: The port on which the server was to listen.
  init(_ error: any Error, port: UInt16) {
    switch error {
    case let error as DashboardError: self = error
    case SocketError.failed(_, EADDRINUSE, _):
      self.init(
        .portInUse,
        "expected a free port on 127.0.0.1, but another program listens on port \(port). Port 0 "
          + "takes any free one")
    case SocketError.failed(_, EACCES, _), SocketError.failed(_, EPERM, _):
      self.init(
        .portRefused,
        "the system does not let this program listen on port \(port) of 127.0.0.1; take one above "
          + "1023")
    default: self.init(.serverFailed, "the server's sockets failed: \(error)")
    }
  }
}
