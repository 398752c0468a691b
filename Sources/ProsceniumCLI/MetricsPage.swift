// SPDX-License-Identifier: Apache-2.0

import ProsceniumDashboard
import ProsceniumLoad

/// The program's metrics as a text on 127.0.0.1, for Prometheus and everybody who reads its format.
struct MetricsPage: Sendable {
  /// What is shown.
  let registry = MetricsRegistry()

  private let port: UInt16
  private let say: @Sendable (String) -> Void

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - port: The port, 0 for any that is free.
  ///   - say: Is given the line that says where the page is.
  init(port: UInt16, say: @escaping @Sendable (String) -> Void) {
    self.port = port
    self.say = say
  }

  /// Serves the page while something runs.
  ///
  /// - Throws: Why the page cannot be served, before anything runs; or what `body` throws.
  func serve<Success: Sendable>(
    while body: @Sendable () async throws -> Success
  ) async throws -> Success {
    let server = TextServer(
      port: port, path: "/metrics", type: "text/plain; version=0.0.4"
    ) { [registry] in registry.text }
    return try await withThrowingTaskGroup { group in
      let (ready, whoIsReady) = AsyncThrowingStream<Never, any Error>.makeStream()
      // Serves until the group is cancelled, when the body has returned.
      group.addTask { [say] in
        do {
          try await server.run { url in
            say("metrics: \(url)\n\n")
            whoIsReady.finish()
          }
        } catch {
          whoIsReady.finish(throwing: error)
          throw error
        }
      }
      for try await _ in ready {}
      let result = try await body()
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }
}
