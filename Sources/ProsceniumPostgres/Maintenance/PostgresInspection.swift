// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium
  import ProsceniumPrimitives
  public import ProsceniumSealing
  import ProsceniumStoring

  /// Looks into a store in PostgreSQL without changing it, also while applications use it.
  ///
  /// Everything is seen as it was when the inspection began. Until it is closed the server keeps
  /// old versions of rows for it. Sessions are read as they are asked for, so that a large store
  /// needs no more memory than a small one.
  public struct PostgresInspection: Sendable {
    /// One session, as the store keeps it.
    public struct Session: Sendable {
      /// Everything that the store keeps in the open, and what is wrong with it as far as that is
      /// seen without a key.
      public let row: SessionRow

      /// The number of bytes of the encoded state, or `nil` if none is kept.
      public let stateSize: Int?

      /// The epoch in which the state was captured; 0 for none.
      public let stateEpoch: UInt32
    }

    /// What the store comes to as a whole.
    public struct Totals: Sendable {
      /// The format of the store's tables.
      public let format: Int

      /// How many sessions there are.
      public let sessions: Int

      /// How many of them were discarded while no application was running.
      public let discarded: Int

      /// The epoch of the slice whose owner has changed most often.
      public let epoch: UInt32

      /// How many nodes live, as far as they have been heard of.
      public let nodes: Int

      /// How many bytes the tables and their indices have.
      public let bytes: Int
    }

    let view: PostgresView

    /// Begins to see a store.
    ///
    /// - Parameters:
    ///   - address: Where the database is, as ``PostgresSessionStore`` takes it.
    ///   - key: Where the application key comes from; without one no state can be opened.
    /// - Throws: `unusable` if there is no store; `newerVersion`; `wrongKey` if the key is not the
    ///   store's; whatever the provider throws; or what the server refuses.
    public init(_ address: String, key: (any KeyProvider)? = nil) async throws(StoreError) {
      view = try await PostgresView(address, key: key)
    }

    /// Ends the inspection.
    public func close() async {
      await view.close()
    }

    /// Counts what the store has.
    ///
    /// - Returns: The totals.
    /// - Throws: What the server refuses.
    public func totals() async throws(StoreError) -> Totals {
      try await view.call { (connection) throws(PostgresFailure) in
        let rows = try connection.call("SELECT * FROM proscenium.totals_1()")
        return Totals(
          format: try PostgresSchema.format(of: connection), sessions: Int(rows.integer(0, 0)),
          discarded: Int(rows.integer(0, 1)),
          epoch: UInt32(truncatingIfNeeded: rows.integer(0, 2)), nodes: Int(rows.integer(0, 3)),
          bytes: Int(rows.integer(0, 4)))
      }
    }

    /// Calls a function with each session, in the order of their identifiers from the middle on, as
    /// the store keeps them.
    ///
    /// - Parameter body: Is given a session; an error of it ends the visit.
    /// - Throws: What `body` throws, or what the server refuses.
    public func forEachSession(_ body: (Session) throws -> Void) async throws {
      let configurations = try await view.call { (connection) throws(PostgresFailure) in
        try ConfigurationNumbers(connection)
      }
      let pages = Guarded(RowPages())
      while true {
        let sessions = try await view.call { (connection) throws(PostgresFailure) in
          let rows = try pages.withLock { (pages) throws(PostgresFailure) in
            try pages.next(configurations, on: connection)
          }
          return try Self.sessions(rows, on: connection)
        }
        if sessions.isEmpty { return }
        for session in sessions { try body(session) }
      }
    }

    /// Looks up one session.
    ///
    /// - Parameter identifier: The session.
    /// - Returns: The session, or `nil` if it is not kept.
    /// - Throws: What the server refuses.
    public func session(_ identifier: SessionIdentifier) async throws(StoreError) -> Session? {
      try await view.call { (connection) throws(PostgresFailure) in
        let configurations = try ConfigurationNumbers(connection)
        var pages = RowPages(only: identifier)
        let rows = try pages.next(configurations, on: connection)
        return try Self.sessions(
          rows.filter { $0.persistentIdentifier == identifier }, on: connection
        ).first
      }
    }

    private static func sessions(
      _ rows: [SessionRow], on connection: PostgresConnection
    ) throws(PostgresFailure) -> [Session] {
      var parameters = PostgresParameters()
      parameters.add(places: rows.filter(\.hasSavedState).map(\.persistentIdentifier))
      let found = try connection.call("SELECT * FROM proscenium.sizes_1($1, $2)", parameters)
      var sizes: [SessionIdentifier: (version: Int64, size: Int)] = [:]
      for row in 0..<found.count {
        guard let session = found.identifier(row, 0) else { continue }
        sizes[session] = (found.integer(row, 1), Int(found.integer(row, 2)))
      }
      return rows.map { row in
        let state = sizes[row.persistentIdentifier]
        return Session(
          row: row, stateSize: state.map { max(0, $0.size - RecordSealer.overhead) },
          stateEpoch: UInt32(truncatingIfNeeded: (state?.version ?? 0) >> 40))
      }
    }

    /// Opens the saved state of a session.
    ///
    /// - Parameter session: The session.
    /// - Returns: What ``SavedState`` was encoded to, or `nil` if none is kept.
    /// - Throws: `damaged` if it is not what was written; `keyUnavailable` if no key was given;
    ///   what the server refuses.
    public func savedState(of session: SessionIdentifier) async throws(StoreError) -> [UInt8]? {
      try await states(of: [session])[session]?.get() ?? nil
    }

    /// Opens the saved states of sessions, as many as one answer has.
    func states(
      of sessions: [SessionIdentifier]
    ) async throws(StoreError) -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      guard let ring = view.ring else {
        throw StoreError(.keyUnavailable, "no application key was given to open states with.")
      }
      let keys = SessionKeys(capacity: sessions.count)
      let kept = try await view.call { (connection) throws(PostgresFailure) in
        try KeptState.read(sessions, upTo: 4 << 20, on: connection)
      }
      var states: [SessionIdentifier: Result<[UInt8]?, StoreError>] = [:]
      for state in kept where !state.isLeftOut {
        states[state.session] = Result { () throws(StoreError) in
          try state.open(keys) { () throws(StoreError) in ring }
        }
      }
      return states
    }
  }
#endif
