// SPDX-License-Identifier: Apache-2.0

/// The sessions of which a store has refused something, and why.
struct RefusedSessions: Sendable {
  /// Nothing of these is written any more.
  private(set) var forGood: [SessionIdentifier: StoreError] = [:]
  /// Another process has these, unless they have come back in a later epoch than that of the change
  /// which was refused.
  private var fenced: [SessionIdentifier: (epoch: UInt32, error: StoreError)] = [:]

  /// Takes note of what was refused.
  ///
  /// - Parameters:
  ///   - refused: The sessions, and why.
  ///   - changes: Everything that was offered.
  mutating func note(_ refused: [SessionIdentifier: StoreError], of changes: [StoreChange]) {
    for (session, error) in refused where error.code != .fenced { forGood[session] = error }
    for change in changes {
      guard let error = refused[change.session], error.code == .fenced else { continue }
      fenced[change.session] = (max(change.epoch, fenced[change.session]?.epoch ?? 0), error)
    }
  }

  /// Which of a group's sessions are refused: what follows a change that was, without one of its
  /// own, is not durable either.
  ///
  /// - Parameters:
  ///   - group: What was committed.
  ///   - epochs: The epochs in which sessions are written now.
  /// - Returns: The sessions, and why.
  mutating func refusals(
    in group: SnapshotWriter.Group, _ epochs: EpochTable
  ) -> [SessionIdentifier: StoreError] {
    if fenced.isEmpty { return forGood }
    var refusals = forGood
    let sessions = group.batches.lazy.flatMap { batch in
      batch.awaiting.compactMap(\.session) + batch.changes.map(\.session)
    }
    for session in sessions {
      guard let refusal = fenced[session] else { continue }
      if epochs[session] > refusal.epoch {
        fenced[session] = nil
      } else {
        refusals[session] = refusals[session] ?? refusal.error
      }
    }
    return refusals
  }
}
