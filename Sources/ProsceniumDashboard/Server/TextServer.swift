// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import Synchronization

/// Serves one text on 127.0.0.1, such as a program's metrics.
///
/// As the dashboard's, its answers are for requests that name this host: pages of other sites
/// get none.
package struct TextServer: Sendable {
  private let port: UInt16
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
    self.port = port
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
    do {
      try await serve(isReady)
    } catch {
      if !Task.isCancelled { throw DashboardError(error, port: port) }
    }
  }

  private func serve(_ isReady: @escaping @Sendable (String) -> Void) async throws {
    let listening = ListeningPort(port)
    let server = try HTTPServer.local(port: port) { request in
      answer(request, port: listening.number.load(ordering: .relaxed))
    }
    try await withThrowingTaskGroup { group in
      // It runs while the other child waits for its port, until the task is cancelled.
      group.addTask { try await server.run() }
      // A server that fails to listen ends this wait.
      group.addTask {
        let port = try await server.listeningPort()
        listening.number.store(port, ordering: .relaxed)
        isReady("http://127.0.0.1:\(port)\(path)")
      }
      while try await group.next() != nil {}
    }
  }

  /// The port that requests have to name: the one that was asked for, until it is known.
  private final class ListeningPort: Sendable {
    let number: Atomic<UInt16>

    init(_ port: UInt16) { number = Atomic(port) }
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
