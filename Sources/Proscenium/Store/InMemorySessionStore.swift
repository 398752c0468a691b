// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A store in memory: what it keeps outlives an application, not the process.
///
/// For tests, for simulations, and for hosts whose sessions may end with the process. A session
/// that holds nothing takes about 45 bytes. Nothing is sealed.
public final class InMemorySessionStore: SessionStore {
  private struct State: Sendable {
    var rows = SessionRows()
    var epoch: UInt32 = 0
    var isRestoring = false
    var runningTime: Int64 = 0
  }

  private let state = Guarded(State())

  /// Creates a store.
  ///
  /// - Parameter sessions: What it keeps at first; of two with the same identifier the later one.
  ///   A saved state that is larger than the limits is not kept.
  public init(_ sessions: [StoredSession] = []) {
    state.withLock { state in
      for session in sessions {
        state.rows.apply(
          StoreChange(
            session: session.persistentIdentifier, epoch: 0, kind: .insert(session.row)))
        if !session.state.isEmpty, let bytes = try? session.state.encoded() {
          state.rows.apply(
            StoreChange(session: session.persistentIdentifier, epoch: 0, kind: .save(bytes)))
        }
      }
    }
  }

  /// The open sessions that are kept, by identifier.
  public var sessions: [StoredSession] { stored { !$0.isDiscarded } }

  /// The sessions that were discarded while no application was running, by identifier.
  package var discardedSessions: [StoredSession] { stored(\.isDiscarded) }

  private func stored(_ isWanted: (SessionRow) -> Bool) -> [StoredSession] {
    let rows = state.withLock { $0.rows }
    return rows.all.filter(isWanted).map { row in
      let bytes = rows.state(of: row.persistentIdentifier)
      return StoredSession(row, bytes.flatMap { try? SavedState(decoding: $0) } ?? SavedState())
    }
  }

  /// Makes a store that keeps the same, as a backup does.
  package func copy() -> InMemorySessionStore {
    let copy = InMemorySessionStore()
    let state = state.withLock { $0 }
    copy.state.withLock { $0 = state }
    return copy
  }

  /// Begins an epoch and returns the rows of everything that is kept.
  public func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    let (rows, load) = state.withLock { state in
      state.epoch += 1
      return (
        state.rows.all,
        StoreLoad(
          epoch: state.epoch, isRestoring: state.isRestoring, runningTime: state.runningTime)
      )
    }
    for start in stride(from: 0, to: rows.count, by: 1024) {
      try receive(Array(rows[start..<min(start + 1024, rows.count)]))
    }
    return load
  }

  /// Begins an epoch for another writer: what comes from an earlier one is refused from now on.
  package func takeOver() {
    state.withLock { $0.epoch += 1 }
  }

  /// Copies an encoded saved state.
  public func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    unsafe state.withUnsafeBytes { unsafe Array($0) }
  }

  /// Applies changes, all or none of each session.
  ///
  /// - Returns: `fenced` for the sessions of which a change comes from an earlier epoch.
  public func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    apply(changes)
  }

  /// Does what ``commit(_:)`` does, at once: shards need not wait for a store in memory.
  package func apply(_ changes: [StoreChange]) -> [SessionIdentifier: StoreError] {
    state.withLock { state in
      var refusals: [SessionIdentifier: StoreError] = [:]
      for change in changes where change.epoch < state.epoch {
        refusals[change.session] = StoreError(
          .fenced, session: change.session,
          "the change is of epoch \(change.epoch), and epoch \(state.epoch) has begun since")
      }
      for change in changes where refusals.isEmpty || refusals[change.session] == nil {
        state.rows.apply(change)
      }
      return refusals
    }
  }

  /// Reads the encoded saved states of sessions.
  public func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    answers(of: sessions) { (session) throws(StoreError) in savedState(of: session) }
  }

  /// Returns the encoded saved state of a session, at once.
  package func savedState(of session: SessionIdentifier) -> [UInt8]? {
    state.withLock { $0.rows.state(of: session) }
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  public func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    applyRestoring(isRestoring)
  }

  /// Does what ``setRestoring(_:)`` does, at once.
  package func applyRestoring(_ isRestoring: Bool) {
    state.withLock { $0.isRestoring = isRestoring }
  }

  /// Notes how long applications have run on the store, unless another load has begun an epoch.
  public func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
    applyRunningTime(milliseconds, epoch: epoch)
  }

  /// Does what ``setRunningTime(_:epoch:)`` does, at once.
  package func applyRunningTime(_ milliseconds: Int64, epoch: UInt32) {
    state.withLock { if epoch >= $0.epoch { $0.runningTime = milliseconds } }
  }

  /// Discards a session while no application uses the store; the next launch reports it (R-DST-4).
  ///
  /// - Parameter identifier: The session; one that is not kept is ignored.
  public func discardWhileNotRunning(_ identifier: SessionIdentifier) {
    state.withLock { $0.rows.markDiscarded(identifier) }
  }
}
