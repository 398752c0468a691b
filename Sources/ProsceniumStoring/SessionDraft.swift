// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// What the changes of a group come to for one session.
package struct SessionDraft: Sendable {
  package let session: SessionIdentifier
  /// The epoch of the last change.
  package private(set) var epoch: UInt32
  /// Whether what is kept goes.
  package private(set) var removes = false
  /// Whether the session is made new by ``row``.
  package private(set) var isInsertion = false
  package private(set) var row: SessionRow?
  package var activation: UInt64?
  /// The sealed state.
  package private(set) var saved: [UInt8]?

  package init(_ session: SessionIdentifier, epoch: UInt32) {
    self.session = session
    self.epoch = epoch
  }

  /// Whether there is nothing but an activation, which can wait.
  package var isActivationAlone: Bool { !removes && row == nil && saved == nil }

  /// Whether what it changes is known without reading its row, once that was written or checked.
  package var changesMarkAlone: Bool { !removes && row == nil }

  /// Whether nothing of the row that is kept stays, so that it does not matter whether it is sound.
  package var replacesAll: Bool { removes || isInsertion || row != nil && saved != nil }

  /// Adds a later change.
  package mutating func take(_ change: StoreChange) {
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

  /// Adds what was written later.
  package mutating func take(_ later: SessionDraft) {
    if later.removes || later.isInsertion {
      self = later
      return
    }
    epoch = max(epoch, later.epoch)
    row = later.row ?? row
    activation = later.activation ?? activation
    saved = later.saved ?? saved
  }

  /// The same as a change of a session that is kept.
  package var asChange: SessionDraft {
    var draft = self
    draft.isInsertion = false
    draft.removes = false
    return draft
  }

  /// What changes come to for each session.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - refusals: Is given the sessions of which a change is refused.
  ///   - refusal: Tells why a change is refused, or `nil`.
  /// - Returns: A draft for each other session, in the order of their first changes.
  package static func fold(
    _ changes: [StoreChange], _ refusals: inout [SessionIdentifier: StoreError],
    refusal: (StoreChange) -> StoreError?
  ) -> [SessionDraft] {
    var places: [SessionIdentifier: Int] = [:]
    places.reserveCapacity(changes.count)
    var drafts: [SessionDraft] = []
    drafts.reserveCapacity(changes.count)
    for change in changes {
      if let refusal = refusal(change) {
        refusals[change.session] = refusal
        continue
      }
      if let place = places.updateValue(drafts.count, forKey: change.session) {
        places[change.session] = place
        drafts[place].take(change)
      } else {
        drafts.append(SessionDraft(change.session, epoch: change.epoch))
        drafts[drafts.count - 1].take(change)
      }
    }
    if !refusals.isEmpty { drafts.removeAll { refusals[$0.session] != nil } }
    return drafts
  }
}
