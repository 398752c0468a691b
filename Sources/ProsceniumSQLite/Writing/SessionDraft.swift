// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What the changes of a group come to for one session.
struct SessionDraft: Sendable {
  let session: SessionIdentifier
  /// The epoch of the last change.
  var epoch: UInt32
  /// Whether what is kept goes.
  var removes = false
  /// Whether the session is made new by ``row``.
  var isInsertion = false
  var row: SessionRow?
  var activation: UInt64?
  /// The sealed state.
  var saved: [UInt8]?
  /// What is at hand of it, before it is written and afterwards.
  var entry: SessionKeys.Entry?
  /// Whether its key waits for being written.
  var isPending = false

  init(_ session: SessionIdentifier, epoch: UInt32) {
    self.session = session
    self.epoch = epoch
  }

  /// Whether there is nothing but an activation, which can wait.
  var isActivationAlone: Bool { !removes && row == nil && saved == nil }

  /// Whether what it changes is known without reading its row, once that was written or checked.
  var changesMarkAlone: Bool { !removes && row == nil }

  /// Adds a later change.
  mutating func take(_ change: StoreChange) {
    epoch = max(epoch, change.epoch)
    switch change.kind {
    case .insert(let row):
      self.row = row
      isInsertion = true
      activation = nil
      saved = nil
    case .remove:
      removes = true
      isInsertion = false
      row = nil
      activation = nil
      saved = nil
    case .update(let row) where !removes || isInsertion:
      let counter = self.row?.lastActivated
      self.row = row
      if let counter { self.row?.lastActivated = counter }
    case .activate(let counter) where !removes || isInsertion:
      activation = counter
    case .save(let sealed) where !removes || isInsertion:
      saved = sealed
    case .update, .activate, .save: break
    }
  }

  /// Whether nothing of the row that is kept stays, so that it does not matter whether it is sound.
  var replacesAll: Bool { removes || isInsertion || row != nil && saved != nil }
}
