// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// A store that was loaded, and what tests do with it.
  struct LoadedStore: Sendable {
    let store: PostgresSessionStore
    let epoch: UInt32
    /// The rows that the load gave.
    let rows: [SessionIdentifier: SessionRow]

    /// Loads a store.
    init(_ store: PostgresSessionStore) async throws {
      self.store = store
      let rows = Guarded<[SessionIdentifier: SessionRow]>([:])
      let load = try await store.load { batch in
        rows.withLock { rows in
          for row in batch { rows[row.persistentIdentifier] = row }
        }
      }
      epoch = load.epoch
      self.rows = rows.withLock { $0 }
    }

    /// Commits changes as one group, and gives the refusals.
    func commit(
      _ changes: [SessionChange]
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      try await store.commit(
        changes.map { StoreChange(session: $0.0, epoch: epoch, kind: $0.1) })
    }

    /// Commits changes of which none is refused.
    func apply(_ changes: [SessionChange]) async throws {
      if let refusal = try await commit(changes).values.first { throw refusal }
    }

    /// Commits changes, and offers them again as the runtime does for as long as that fails.
    ///
    /// A server that was just started, or cut off, may refuse a few times.
    func applyAtLast(_ changes: [SessionChange]) async throws {
      for _ in 0..<100 {
        do throws(StoreError) {
          if let refusal = try await commit(changes).values.first { throw refusal }
          return
        } catch {
          guard error.code == .failed else { throw error }
        }
        try await Task.sleep(for: .milliseconds(50))
      }
      try await apply(changes)
    }

    /// The change that saves a state.
    func saving(
      _ state: [UInt8], of session: SessionIdentifier
    ) throws -> SessionChange {
      (session, .save(try unsafe store.seal(state.span.bytes, of: session, epoch: epoch)))
    }

    /// The changes that make a session with a state.
    func making(
      _ session: SessionIdentifier, _ state: [UInt8]
    ) throws -> [SessionChange] {
      [
        (session, .insert(SessionRow(persistentIdentifier: session))),
        try saving(state, of: session),
      ]
    }

    /// The saved states of sessions, none for those that have none.
    func states(of sessions: [SessionIdentifier]) async throws -> [SessionIdentifier: [UInt8]] {
      var states: [SessionIdentifier: [UInt8]] = [:]
      for session in sessions { states[session] = try await store.readState(of: session) }
      return states
    }
  }

  /// A change of a session.
  typealias SessionChange = (SessionIdentifier, StoreChange.Kind)
#endif
