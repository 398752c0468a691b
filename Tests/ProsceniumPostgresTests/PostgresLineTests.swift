// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumPostgres

  /// What becomes of a call whose connection ends.
  @Suite(.timeLimit(.minutes(10))) struct PostgresLineTests {
    /// Calls, and has the server end the connection during the first of them.
    private static func runs(
      _ line: PostgresLine, isRepeatable: Bool
    ) async throws(PostgresFailure) -> Int {
      let runs = Guarded(0)
      try await line.run(isRepeatable: isRepeatable) { (connection) throws(PostgresFailure) in
        let isFirst = runs.withLock { count in
          count += 1
          return count == 1
        }
        try connection.call(
          isFirst ? "SELECT pg_terminate_backend(pg_backend_pid())" : "SELECT 1")
      }
      return runs.withLock { $0 }
    }

    private static func line() async throws -> PostgresLine {
      let database = try await TestDatabase.make()
      let address = try PostgresAddress(database.server.url(database: database.name, port: nil))
      return PostgresLine(
        address, named: "proscenium test", on: LineExecutor("test"), PostgresStoreOptions())
    }

    @Test(arguments: [false, true])
    func `a call is made again when its connection is ended`(wasUsedBefore: Bool) async throws {
      let line = try await Self.line()
      if wasUsedBefore {
        try await line.run { (connection) throws(PostgresFailure) in
          _ = try connection.call("SELECT 1")
        }
      }
      #expect(try await Self.runs(line, isRepeatable: true) == 2)
      await line.close()
    }

    @Test func `a call that may have taken effect is not made again`() async throws {
      let line = try await Self.line()
      let failure = await #expect(throws: PostgresFailure.self) {
        _ = try await Self.runs(line, isRepeatable: false)
      }
      #expect(failure?.kind == .connectionLost)
      await line.close()
    }
  }
#endif
