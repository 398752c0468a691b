// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres

  /// What PostgreSQL does by itself: pgbench updates 256 neighbouring rows in a transaction, and
  /// sends nothing for them.
  struct Floor: Sendable {
    private let server: PostgresServer
    private let database: String
    private let script: String

    private static let batch = 256

    init(_ server: PostgresServer, rows: Int) async throws {
      self.server = server
      database = try await server.makeDatabase()
      _ = try await server.sql(
        """
        CREATE TABLE floor(number integer PRIMARY KEY, version bigint, sealed bytea)
          WITH (fillfactor = 50);
        ALTER TABLE floor ALTER COLUMN sealed SET STORAGE EXTERNAL;
        INSERT INTO floor SELECT n, 0, decode(repeat(md5(n::text), 64), 'hex')
          FROM generate_series(1, \(rows)) n;
        """, database: database)
      script = server.home + "/floor.sql"
      try """
      \\set first random(1, \(max(1, rows - Self.batch)))
      UPDATE floor SET version = version + 1
        WHERE number >= :first AND number < :first + \(Self.batch);
      """.write(toFile: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: script)
    }

    /// How many rows are updated in a second.
    func rate(seconds: Int) async throws -> Double {
      let output = try await ServerPrograms.run(
        [
          server.programs.path("pgbench"), "-n", "-f", script, "-c", "4", "-j", "2", "-T",
          "\(seconds)", "-M", "prepared", server.url(database: database),
        ])
      guard
        let line = output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
        let rate = Double(line.dropFirst(6).prefix { $0 != " " })
      else { throw Unreadable(output: output) }
      return rate * Double(Self.batch)
    }

    /// What pgbench has printed, where its rate was expected.
    struct Unreadable: Error {
      let output: String
    }
  }
#endif
