// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import FlyingSocks

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension HTTPServer {
  /// Makes a server for this machine alone; it listens once it is run.
  ///
  /// - Parameters:
  ///   - port: The port, 0 for any that is free.
  ///   - answer: Answers a request.
  /// - Returns: The server.
  /// - Throws: What the system refuses.
  static func local(
    port: UInt16, answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) throws -> HTTPServer {
    // No body longer than the first number is ever read, and none is buffered outside the socket.
    let configuration = HTTPServer.Configuration(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 10,
      sharedRequestBufferSize: DashboardRequest.bodyLimit, sharedRequestReplaySize: 0,
      logger: .disabled)
    return HTTPServer(config: configuration, handler: ClosureHTTPHandler { await answer($0) })
  }

  /// Waits until the server listens, and tells on which port.
  func listeningPort() async throws -> UInt16 {
    try await waitUntilListening(timeout: 60)
    guard case .ip4(_, let port) = listeningAddress else {
      throw DashboardError(.serverFailed, "the server has no address")
    }
    return port
  }
}
