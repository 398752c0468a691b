// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  public import ProsceniumSealing
  public import ProsceniumStoring

  /// Checks every row and seal of a store in PostgreSQL, also while applications use it.
  ///
  /// Nothing is changed. What PostgreSQL itself can check, such as its pages, is the business of
  /// its own tools: `pg_amcheck`, and checksums of pages.
  public enum PostgresVerification: Sendable {
    /// Checks a store.
    ///
    /// - Parameters:
    ///   - address: Where the database is, as ``PostgresSessionStore`` takes it.
    ///   - key: Where the application key comes from.
    ///   - progress: Is told how many sessions of how many were checked.
    /// - Returns: What was found.
    /// - Throws: `unusable`, `newerVersion` or `wrongKey`; whatever the provider throws; or what
    ///   the server refuses.
    public static func run(
      _ address: String, key: any KeyProvider, progress: (Int, Int) -> Void = { _, _ in }
    ) async throws -> StoreReport {
      let inspection = try await PostgresInspection(address, key: key)
      do {
        let report = try await check(inspection, progress)
        await inspection.close()
        return report
      } catch {
        await inspection.close()
        throw error
      }
    }

    private static func check(
      _ inspection: PostgresInspection, _ progress: (Int, Int) -> Void
    ) async throws -> StoreReport {
      let total = try await inspection.totals().sessions
      progress(0, total)
      var report = StoreReport()
      var pages = RowPages()
      let configurations = try await inspection.view.call { (connection) throws(PostgresFailure) in
        try ConfigurationNumbers(connection)
      }
      while true {
        let (rows, after) = try await inspection.view.call {
          [pages] (connection) throws(PostgresFailure) in
          var pages = pages
          return (try pages.next(configurations, on: connection), pages)
        }
        pages = after
        if rows.isEmpty { break }
        for row in rows {
          report.sessions += 1
          if let damage = row.damage { report.add(damage) }
        }
        try await openStates(of: rows, inspection, &report)
        progress(report.sessions, max(total, report.sessions))
      }
      for problem in try await problems(inspection) { report.add(problem) }
      return report
    }

    /// Opens the states of some sessions, also of those that are said to have none.
    private static func openStates(
      of rows: [SessionRow], _ inspection: PostgresInspection, _ report: inout StoreReport
    ) async throws {
      var left = rows.map(\.persistentIdentifier)[...]
      while !left.isEmpty {
        let batch = Array(left.prefix(256))
        let states = try await inspection.states(of: batch)
        if states.isEmpty { break }
        for session in batch {
          switch states[session] {
          case .success(let state?):
            report.states += 1
            report.stateBytes += state.count + RecordSealer.overhead
          case .failure(let error): report.add(error)
          case .success(nil), nil: break
          }
        }
        left = batch.filter { states[$0] == nil } + left.dropFirst(batch.count)
      }
    }

    /// What no session's row shows.
    private static func problems(
      _ inspection: PostgresInspection
    ) async throws(StoreError) -> [String] {
      try await inspection.view.call { (connection) throws(PostgresFailure) in
        let rows = try connection.call("SELECT * FROM proscenium.problems_1()")
        return (0..<rows.count).compactMap { rows.text($0, 0) }
      }
    }
  }
#endif
