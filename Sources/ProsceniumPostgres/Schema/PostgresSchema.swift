// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// The tables and functions of a store in PostgreSQL, in the schema `proscenium`.
  enum PostgresSchema {
    /// The format that this code reads and writes: how many steps have been taken.
    static let format = steps.count

    /// What brings a database from each format to the next, beginning with an empty one.
    ///
    /// A step only adds, so that two builds work on one database while they are deployed; what it
    /// makes useless goes in a later one. Functions carry their version in the name for that
    /// reason.
    private static let steps = [tables + savingFunctions + nodeFunctions + readingFunctions]

    /// The key of all advisory locks; the second number is a node's, 0 for a change of owners,
    /// -1 for the schema.
    static let lockKey = 7461

    /// Makes what is missing, in one transaction.
    ///
    /// - Returns: Why the store cannot be used, if it cannot: `unusable` if the role may not make
    ///   it, or the database is not one of UTF-8; `newerVersion`.
    /// - Throws: What the server refuses, or that it cannot be reached.
    static func prepare(
      _ connection: PostgresConnection, at place: String
    ) throws(PostgresFailure) -> StoreError? {
      let encoding = connection.setting("server_encoding") ?? "unknown"
      guard encoding == "UTF8" else {
        return StoreError(
          .unusable, "\(place): expected a database of the encoding UTF8, found \(encoding).")
      }
      let found: Int
      do throws(PostgresFailure) {
        if try self.format(of: connection) < format { try install(connection) }
        found = try self.format(of: connection)
      } catch {
        guard error.state == "42501" else { throw error }
        return StoreError(
          .unusable,
          "\(place): expected a store, and found none that this role may use or make:"
            + " \(error.message). The owner of the database runs `proscenium store init`.")
      }
      return found == format ? nil : newerVersion(found, at: place)
    }

    /// Why a store cannot be looked at, if that is so: `unusable` if there is none, `newerVersion`.
    ///
    /// - Throws: What the server refuses, or that it cannot be reached.
    static func refusal(
      of connection: PostgresConnection, at place: String
    ) throws(PostgresFailure) -> StoreError? {
      let found = try format(of: connection)
      if found == 0 { return StoreError(.unusable, "\(place): expected a store, found none.") }
      return found <= format ? nil : newerVersion(found, at: place)
    }

    private static func newerVersion(_ found: Int, at place: String) -> StoreError {
      StoreError(
        .newerVersion,
        "\(place): expected a store of format \(format), found format \(found):"
          + " a newer program wrote it.")
    }

    /// The format of the store in a database; 0 for none.
    static func format(of connection: PostgresConnection) throws(PostgresFailure) -> Int {
      // Asked of the tables: what PostgreSQL remembers of names can be from before the lock.
      let schema = try connection.call(
        """
        SELECT EXISTS (SELECT FROM pg_catalog.pg_proc p
          JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
          WHERE n.nspname = 'proscenium' AND p.proname = 'format')
        """)
      guard schema.boolean(0, 0) else { return 0 }
      return Int(try connection.call("SELECT proscenium.format()").integer(0, 0))
    }

    /// Takes the steps that are missing.
    private static func install(_ connection: PostgresConnection) throws(PostgresFailure) {
      try connection.run("BEGIN; SELECT pg_advisory_xact_lock(\(lockKey), -1)")
      do throws(PostgresFailure) {
        // Another program may have been faster.
        for step in steps.dropFirst(try format(of: connection)) { try connection.run(step) }
        try connection.run("COMMIT")
      } catch {
        try? connection.run("ROLLBACK")
        throw error
      }
    }
  }
#endif
