// SPDX-License-Identifier: Apache-2.0

/// The sessions of which a store has refused something, and why.
struct RefusedSessions: Sendable {
  /// Nothing of these is written any more.
  private(set) var forGood: [SessionIdentifier: StoreError] = [:]
  /// Another process has these, as far as is known.
  private var fenced: [SessionIdentifier: StoreError] = [:]

  /// Takes note of what was refused.
  mutating func note(_ refused: [SessionIdentifier: StoreError]) {
    for (session, error) in refused {
      if error.code == .fenced { fenced[session] = error } else { forGood[session] = error }
    }
  }

  /// Forgets sessions that have come back; everything from before was offered.
  mutating func takeBack(where isBack: (SessionIdentifier) -> Bool) {
    for session in Array(fenced.keys) where isBack(session) { fenced[session] = nil }
  }

  /// Which of a group's sessions are refused: what follows a change that was, without one of its
  /// own, is not durable either.
  ///
  /// - Parameter group: What was committed.
  /// - Returns: The sessions, and why.
  func refusals(in group: SnapshotWriter.Group) -> [SessionIdentifier: StoreError] {
    if fenced.isEmpty { return forGood }
    var refusals = forGood
    let sessions = group.batches.lazy.flatMap { batch in
      batch.awaiting.compactMap(\.session) + batch.changes.map(\.session)
    }
    for session in sessions {
      if let error = fenced[session] { refusals[session] = refusals[session] ?? error }
    }
    return refusals
  }
}
