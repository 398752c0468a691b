// SPDX-License-Identifier: Apache-2.0

/// A store in memory: what it keeps outlives an application, not the process.
///
/// For tests, for simulations, and for hosts whose sessions may end with the process. A session
/// that holds nothing takes about 45 bytes.
public final class InMemorySessionStore: ImmediateSessionStore {
  private let rows: Guarded<SessionRows>
  private let isRestoring = Guarded(false)

  /// Creates a store.
  ///
  /// - Parameter sessions: What it keeps at first; of two with the same identifier the later one.
  public init(_ sessions: [StoredSession] = []) {
    var rows = SessionRows()
    for session in sessions { rows.put(session) }
    self.rows = Guarded(rows)
  }

  /// The open sessions that are kept, by identifier.
  public var sessions: [StoredSession] {
    rows.withLock { $0.stored }.filter { !$0.isDiscarded }.map(\.session)
  }

  /// The sessions that were discarded while no application was running, by identifier.
  package var discardedSessions: [StoredSession] {
    rows.withLock { $0.stored }.filter(\.isDiscarded).map(\.session)
  }

  /// Makes a store that keeps the same, as a backup does.
  package func copy() -> InMemorySessionStore {
    let copy = InMemorySessionStore()
    let rows = rows.withLock { $0 }
    copy.rows.withLock { $0 = rows }
    return copy
  }

  /// Returns everything that is kept.
  public func load() async throws -> StoredSessions {
    let all = rows.withLock { $0.stored }
    return StoredSessions(
      sessions: all.filter { !$0.isDiscarded }.map(\.session),
      discarded: all.filter(\.isDiscarded).map(\.session),
      isRestoring: isRestoring.withLock { $0 })
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  public func applyRestoring(_ isRestoring: Bool) {
    self.isRestoring.withLock { $0 = isRestoring }
  }

  /// Applies changes.
  public func apply(_ changes: [SessionChange]) {
    rows.withLock { rows in
      for change in changes { rows.apply(change) }
    }
  }

  /// Discards a session while no application uses the store; the next launch reports it (R-DST-4).
  ///
  /// - Parameter identifier: The session; one that is not kept is ignored.
  public func discardWhileNotRunning(_ identifier: SessionIdentifier) {
    rows.withLock { $0.markDiscarded(identifier) }
  }
}
