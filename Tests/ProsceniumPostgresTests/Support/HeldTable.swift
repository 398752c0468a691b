// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// A table that another program has for itself, so that every call which needs it waits.
  struct HeldTable {
    private let database: TestDatabase
    private let holder: Task<String, any Error>

    /// Locks a table.
    init(_ table: String, of database: TestDatabase) async throws {
      self.database = database
      holder = Task {
        try await database.sql(
          "LOCK TABLE proscenium.\(table) IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)")
      }
      try await database.wait(
        until: """
          SELECT count(*) > 0 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted
            AND relation = 'proscenium.\(table)'::regclass
          """)
    }

    /// Waits until so many connections that save wait for a lock.
    func hasWaiting(_ count: Int) async throws {
      try await database.wait(
        until: """
          SELECT count(*) >= \(count) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
              AND application_name LIKE 'proscenium % lane%'
          """)
    }

    /// Lets go of the table.
    func release() async throws {
      try await database.sql(
        """
        SELECT pg_cancel_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND query LIKE '%pg_sleep(600)%'
        """)
      _ = await holder.result
    }
  }
#endif
