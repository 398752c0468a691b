// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// How many activations are kept, and how the oldest ones go.
enum ActivationKeeping {
  /// How many there may be for each session.
  static let share: Int64 = 2

  /// How many there may be beyond that.
  static let slack: Int64 = 4_096

  /// How many of the oldest are looked at for each that comes.
  static let factor = 4

  /// How many of the oldest are looked at for a commit, at least.
  static let floor = 64
}

extension StoreWriter {
  /// Appends the activations of a commit.
  ///
  /// - Throws: What SQLite refuses.
  mutating func writeActivations(_ draft: inout CommitDraft) throws(StoreError) {
    if draft.activations.isEmpty { return }
    draft.isAppending = true
    try dropOldActivations(&draft)
    for activation in draft.activations { try append(activation, &draft) }
    try write(ActivationRow(directoryOf: draft.activationNumbers))
    draft.isAppending = false
  }

  /// Makes a damaged table of activations again, from what could be read of it.
  ///
  /// - Throws: What SQLite refuses; nothing was changed then.
  mutating func repairActivations(_ loaded: inout LoadedActivations) throws(StoreError) {
    if loaded.isSound { return }
    var draft = CommitDraft(store: store, activationNumbers: 1..<1)
    let found = loaded.all
    try transaction { (writer) throws(StoreError) in
      try writer.connection.execute("DELETE FROM activation")
      for activation in found { try writer.append(activation, &draft) }
      try writer.write(ActivationRow(directoryOf: draft.activationNumbers))
    }
    loaded.noteRepair(draft.activationNumbers)
  }

  private func append(
    _ activation: CommitDraft.Activation, _ draft: inout CommitDraft
  ) throws(StoreError) {
    let number = draft.activationNumbers.upperBound
    try write(
      ActivationRow(number: number, sid: activation.sid, counter: activation.counter))
    draft.activationNumbers = draft.activationNumbers.lowerBound..<number + 1
  }

  private func write(_ row: ActivationRow) throws(StoreError) {
    row.bind(to: statements.writeActivation)
    try statements.writeActivation.run()
  }

  /// Removes the oldest activations, as far as there are too many; those that still count are
  /// appended once more.
  private func dropOldActivations(_ draft: inout CommitDraft) throws(StoreError) {
    let numbers = draft.activationNumbers
    let count = Int64(numbers.count + draft.activations.count)
    let allowed =
      max(draft.store.census.count, 0) * ActivationKeeping.share + ActivationKeeping.slack
    guard count > allowed else { return }
    let looked = max(draft.activations.count * ActivationKeeping.factor, ActivationKeeping.floor)
    let start = numbers.lowerBound
    let end = min(start + Int64(looked), numbers.upperBound)
    for row in try activations(start..<end) where counts(row) {
      try append(CommitDraft.Activation(sid: row.sid, counter: row.counter), &draft)
    }
    statements.deleteActivations.bind(start, 1)
    statements.deleteActivations.bind(end, 2)
    try statements.deleteActivations.run()
    draft.activationNumbers = end..<draft.activationNumbers.upperBound
  }

  /// Reads activations; one that is damaged is passed over.
  private func activations(_ numbers: Range<Int64>) throws(StoreError) -> [ActivationRow] {
    statements.readActivations.bind(numbers.lowerBound, 1)
    statements.readActivations.bind(numbers.upperBound, 2)
    defer { statements.readActivations.reset() }
    var rows: [ActivationRow] = []
    while try statements.readActivations.step() {
      if let row = ActivationRow(statements.readActivations) { rows.append(row) }
    }
    return rows
  }

  /// Whether an activation is the last one so far of a session that is kept.
  private func counts(_ row: ActivationRow) -> Bool {
    parts.index.withLock { index in
      guard let slot = index.slot(of: row.sid) else { return false }
      return index.activation(slot) == row.counter
    }
  }
}
