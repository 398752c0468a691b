// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  package import ProsceniumLocalPostgres

  /// A server that tests share, each with a database of its own.
  package actor SharedServer {
    private var start: Task<PostgresServer, any Error>?

    package init() {}

    /// The server, which the first to ask starts.
    package func server() async throws -> PostgresServer {
      // A task of its own: it goes on when the test that was first is cancelled.
      let start = self.start ?? Task { try await PostgresServer.start() }
      self.start = start
      return try await start.value
    }
  }

  extension PostgresServer {
    /// One for most tests, started on first use and removed when the process ends.
    package static let shared = SharedServer()
  }
#endif
