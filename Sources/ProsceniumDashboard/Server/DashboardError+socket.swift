// SPDX-License-Identifier: Apache-2.0

import FlyingSocks

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DashboardError {
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
