// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// The activations that are not written yet: they wait for the next second, or for another change
/// of their session.
package struct Recency: Sendable {
  private var waiting: [SessionIdentifier: UInt64] = [:]

  /// The second in which activations were last written.
  package var time: Int64 = 0

  package init() {}

  package var isEmpty: Bool { waiting.isEmpty }

  /// Takes the drafts that are activations alone, and gives the others what waits of theirs.
  package mutating func take(from drafts: inout [SessionDraft]) {
    for index in drafts.indices {
      let session = drafts[index].session
      if drafts[index].isActivationAlone {
        waiting[session] = drafts[index].activation
      } else if !waiting.isEmpty, !drafts[index].isInsertion, let counter = waiting[session] {
        drafts[index].activation = drafts[index].activation ?? counter
      }
    }
    drafts.removeAll(where: \.isActivationAlone)
  }

  /// Adds what waits of sessions that do not change otherwise.
  package func add(to drafts: inout [SessionDraft], epoch: UInt32) {
    let changed = Set(drafts.lazy.map(\.session))
    for (session, counter) in waiting where !changed.contains(session) {
      var draft = SessionDraft(session, epoch: epoch)
      draft.activation = counter
      drafts.append(draft)
    }
  }

  /// Forgets what was written of a session.
  package mutating func forget(_ session: SessionIdentifier) {
    if !waiting.isEmpty { waiting[session] = nil }
  }
}
