// SPDX-License-Identifier: Apache-2.0

/// A store in memory: what it keeps outlives an application, not the process.
///
/// For tests, for simulations, and for hosts whose sessions may end with the process.
public final class InMemorySessionStore: ImmediateSessionStore {
  private struct Contents: Sendable {
    var rows: [SessionIdentifier: Row] = [:]
    var discarded: Set<SessionIdentifier> = []

    mutating func apply(_ change: SessionChange) {
      switch change.kind {
      case .insert(let configuration, let lastActivated, let details):
        rows[change.session] = Row(
          configuration: configuration, lastActivated: lastActivated, details: details)
      case .update(let details): rows[change.session]?.details = details
      case .activate(let counter): rows[change.session]?.lastActivated = counter
      case .remove:
        rows[change.session] = nil
        discarded.remove(change.session)
      }
    }
  }

  /// A session in the form in which changes bring it: most hold nothing, and one reference says so.
  private struct Row: Sendable {
    var configuration: SceneConfiguration
    var lastActivated: UInt64
    var details: SessionDetails

    func stored(_ identifier: SessionIdentifier) -> StoredSession {
      var stored = StoredSession(
        persistentIdentifier: identifier, role: configuration.role,
        configurationName: configuration.name, delegateClass: configuration.delegateClass,
        lastActivated: lastActivated)
      stored.take(details)
      return stored
    }
  }

  private let contents: Guarded<Contents>

  /// Creates a store.
  ///
  /// - Parameter sessions: What it keeps at first; of two with the same identifier the later one.
  public init(_ sessions: [StoredSession] = []) {
    var contents = Contents()
    for session in sessions {
      contents.rows[session.persistentIdentifier] = Row(
        configuration: SceneConfiguration(
          remembered: session.configurationName, role: session.role,
          delegateClass: session.delegateClass),
        lastActivated: session.lastActivated, details: session.details)
    }
    self.contents = Guarded(contents)
  }

  /// The open sessions that are kept, by identifier.
  public var sessions: [StoredSession] {
    contents.withLock { contents in
      contents.rows.filter { !contents.discarded.contains($0.key) }
        .map { $0.value.stored($0.key) }
        .sorted { $0.persistentIdentifier < $1.persistentIdentifier }
    }
  }

  /// Returns everything that is kept.
  public func load() async throws -> StoredSessions {
    contents.withLock { contents in
      let all = contents.rows.sorted { $0.key < $1.key }
      return StoredSessions(
        sessions: all.filter { !contents.discarded.contains($0.key) }
          .map { $0.value.stored($0.key) },
        discarded: all.filter { contents.discarded.contains($0.key) }
          .map { $0.value.stored($0.key) })
    }
  }

  /// Applies changes.
  public func apply(_ changes: [SessionChange]) {
    contents.withLock { contents in
      for change in changes { contents.apply(change) }
    }
  }

  /// Discards a session while no application uses the store; the next launch reports it (R-DST-4).
  ///
  /// - Parameter identifier: The session; one that is not kept is ignored.
  public func discardWhileNotRunning(_ identifier: SessionIdentifier) {
    contents.withLock { contents in
      if contents.rows[identifier] != nil { contents.discarded.insert(identifier) }
    }
  }
}
