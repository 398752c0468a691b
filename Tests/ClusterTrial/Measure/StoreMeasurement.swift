// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumSQLite

  /// Measures a store in PostgreSQL and its floors, in turns, on one file system.
  struct StoreMeasurement: Sendable {
    let runs: Int
    let seconds: Double
    let sessions: Int

    private static let key: [UInt8] = .init(repeating: 5, count: 32)

    /// What was measured, a rate for each run.
    private struct Rates {
      var fenced: [Double] = []
      var unfenced: [Double] = []
      var floor: [Double] = []
      var lives: [Double] = []
      var livesInSQLite: [Double] = []
      var syncs: [Double] = []
    }

    /// Measures everything.
    ///
    /// - Returns: What was measured, for people.
    func run() async throws -> String {
      let server = try await PostgresServer.start(
        onDisk: true,
        settings: [
          "synchronous_commit": "on", "max_wal_size": "4GB", "shared_buffers": "512MB",
        ])
      do {
        let rates = try await measure(server)
        try await server.remove()
        return Self.text(rates)
      } catch {
        try? await server.remove()
        throw error
      }
    }

    private func measure(_ server: PostgresServer) async throws -> Rates {
      let (fencedName, unfencedName) = (
        try await server.makeDatabase(), try await server.makeDatabase()
      )
      let fenced = try store(server, fencedName)
      let unfenced = try store(server, unfencedName)
      let fencedSessions = try await SavedSessions(fenced, count: sessions)
      let unfencedSessions = try await SavedSessions(unfenced, count: sessions)
      try await Self.removeFence(from: unfencedName, server)
      let livesName = try await server.makeDatabase()
      let floor = try await Floor(server, rows: sessions)
      var rates = Rates()
      for run in 0..<runs {
        FileHandle.standardError.write(Data("run \(run + 1) of \(runs)\n".utf8))
        let time = Duration.seconds(seconds)
        rates.syncs.append(try Self.syncTime(in: server.home))
        rates.fenced.append(try await fencedSessions.rate(for: time, seed: UInt64(run)))
        rates.unfenced.append(try await unfencedSessions.rate(for: time, seed: UInt64(run)))
        rates.floor.append(try await floor.rate(seconds: max(1, Int(seconds))))
        let lives = try store(server, livesName)
        rates.lives.append(try await SessionLife.rate(on: lives, for: time))
        try await lives.close()
        rates.livesInSQLite.append(try await livesInSQLite(in: server.home, for: time))
      }
      try await fenced.close()
      try await unfenced.close()
      return rates
    }

    private func store(
      _ server: PostgresServer, _ database: String
    ) throws -> PostgresSessionStore {
      try PostgresSessionStore(
        server.url(database: database), key: .callback { try ApplicationKeys(primary: Self.key) })
    }

    private func livesInSQLite(in folder: String, for time: Duration) async throws -> Double {
      // Next to the server's data: the same file system.
      let path = "\(folder)-sqlite"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let store = try SQLiteSessionStore(
        path: path + "/store", key: .callback { try ApplicationKeys(primary: Self.key) })
      let rate = try await SessionLife.rate(on: store, for: time)
      try await store.close()
      return rate
    }

    /// Takes the lock and the look at the fence out of the statement that saves.
    private static func removeFence(
      from database: String, _ server: PostgresServer
    ) async throws {
      _ = try await server.sql(
        """
        DO $body$ DECLARE definition text;
        BEGIN
          SELECT pg_get_functiondef('proscenium.save_1'::regproc) INTO definition;
          definition := replace(definition,
            'PERFORM pg_advisory_xact_lock_shared(7461, me);', '');
          definition := regexp_replace(definition,
            'PERFORM FROM node WHERE.*?END IF;', '');
          EXECUTE definition;
        END $body$
        """, database: database)
      let left = try await server.sql(
        "SELECT pg_get_functiondef('proscenium.save_1'::regproc) ~ 'fence|advisory'",
        database: database)
      precondition(left == "f", "the statement still has its fence")
    }

    /// How long a write of one page takes until it is on the disk, in microseconds.
    private static func syncTime(in folder: String) throws -> Double {
      let path = "\(folder)-sync"
      try Data().write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      defer { try? file.close() }
      let clock = ContinuousClock()
      var times: [Double] = []
      for _ in 0..<21 {
        try file.write(contentsOf: Data(count: 4_096))
        let time = try clock.measure { try file.synchronize() }
        times.append(time / .microseconds(1))
      }
      return median(times)
    }

    private static func median(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private static func text(_ rates: Rates) -> String {
      func line(_ name: String, _ values: [Double], _ unit: String) -> String {
        let all = values.map { String(format: "%.1f", $0) }.joined(separator: "  ")
        return "\(name.padding(toLength: 44, withPad: " ", startingAt: 0))"
          + String(format: "%10.1f %@", median(values), unit) + "   (\(all))"
      }
      func ratio(_ name: String, _ values: [Double], _ others: [Double]) -> String {
        let ratios = zip(values, others).map { 100 * $0 / $1 }
        return line(name, ratios, "%")
      }
      return [
        line("fdatasync of a page", rates.syncs, "µs"),
        line("saves of 1 KiB behind the fence", rates.fenced.map { $0 / 1_000 }, "k/s"),
        line("the same without the fence", rates.unfenced.map { $0 / 1_000 }, "k/s"),
        line("rows that pgbench updates, 256 neighbours", rates.floor.map { $0 / 1_000 }, "k/s"),
        line("durable lives", rates.lives.map { $0 / 1_000 }, "k/s"),
        line("durable lives in SQLite", rates.livesInSQLite.map { $0 / 1_000 }, "k/s"),
        ratio("fenced, of unfenced (90 or more)", rates.fenced, rates.unfenced),
        ratio("fenced, of pgbench (35 or more)", rates.fenced, rates.floor),
        ratio("lives, of those in SQLite (30 or more)", rates.lives, rates.livesInSQLite),
      ].joined(separator: "\n")
    }
  }
#endif
