// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import FlyingSocks
import ProsceniumPrimitives

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Serves this machine alone.
final class LocalServer: Sendable {
  private let wanted: UInt16
  /// The port that requests have to name: the one that was asked for, until it is known.
  private let port: Guarded<UInt16>

  /// Makes a server, which listens once it is run; on any port that is free for 0.
  init(port: UInt16) {
    wanted = port
    self.port = Guarded(port)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - answer: Answers a request, of which the port that the server listens on is known.
  ///   - listening: Is called once the server listens, and runs until then.
  /// - Throws: `portInUse` or `portRefused`, before anything else has happened; `serverFailed` if
  ///   the system's sockets fail.
  func run(
    answer: @escaping @Sendable (_ request: HTTPRequest, _ port: UInt16) async -> HTTPResponse,
    listening: @escaping @Sendable (_ port: UInt16) async throws -> Void
  ) async throws(DashboardError) {
    do {
      // No body longer than the first number is ever read, and none is buffered outside the socket.
      let configuration = HTTPServer.Configuration(
        address: try sockaddr_in.inet(ip4: "127.0.0.1", port: wanted), timeout: 10,
        sharedRequestBufferSize: DashboardRequest.bodyLimit, sharedRequestReplaySize: 0,
        logger: .disabled)
      let server = HTTPServer(
        config: configuration,
        handler: ClosureHTTPHandler { [self] in await answer($0, port.withLock { $0 }) })
      try await withThrowingTaskGroup { group in
        // It serves until its task is cancelled.
        group.addTask { try await server.run() }
        // A server that fails to listen ends this wait.
        group.addTask { [self] in
          try await server.waitUntilListening(timeout: 60)
          guard case .ip4(_, let found) = await server.listeningAddress else {
            throw DashboardError(.serverFailed, "the server has no address")
          }
          port.withLock { $0 = found }
          try await listening(found)
        }
        while try await group.next() != nil {}
      }
    } catch {
      if !Task.isCancelled { throw DashboardError(error, port: wanted) }
    }
  }
}

/// Serves one text on 127.0.0.1, such as a program's metrics.
///
/// As the dashboard's, its answers are for requests that name this host: pages of other sites
/// get none.
package struct TextServer: Sendable {
  private let server: LocalServer
  private let path: String
  private let type: String
  private let text: @Sendable () -> String

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - port: The port, 0 for any that is free.
  ///   - path: The path of the text, such as `/metrics`.
  ///   - type: What kind of text it is, such as `text/plain`.
  ///   - text: Makes the text of each answer; called from any thread.
  package init(
    port: UInt16, path: String, type: String, text: @escaping @Sendable () -> String
  ) {
    server = LocalServer(port: port)
    self.path = path
    self.type = type
    self.text = text
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter isReady: Is called once the server listens, with the address of the text.
  /// - Throws: `portInUse` or `portRefused`, before anything else has happened; `serverFailed` if
  ///   the system's sockets fail.
  package func run(
    isReady: @escaping @Sendable (_ url: String) -> Void
  ) async throws(DashboardError) {
    try await server.run {
      answer($0, port: $1)
    } listening: { port in
      isReady("http://127.0.0.1:\(port)\(path)")
    }
  }

  private func answer(_ request: HTTPRequest, port: UInt16) -> HTTPResponse {
    let asked = DashboardRequest(request)
    do throws(DashboardError) {
      try asked.check(port: port)
      guard asked.path == path else {
        throw DashboardError(.unknownPath, "there is nothing at this path; open \(path)")
      }
      guard asked.method == "GET" else {
        throw DashboardError(.wrongMethod, "expected the method GET for this path")
      }
      return DashboardAnswer(text(), type: type).response
    } catch {
      return DashboardAnswer(error, endsConnection: asked.isBodyUnread).response
    }
  }
}
