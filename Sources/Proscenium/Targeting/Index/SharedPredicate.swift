// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// A predicate that one term does not decide, with all sessions that have it; for the writer.
///
/// However many sessions have it, it is entered and evaluated once.
final class SharedPredicate {
  /// A term under which the predicate is entered.
  struct Entry {
    let term: Address<TermNode>
    /// Its place among the term's members, or nil where the term is only a hint.
    let place: UInt32?
  }

  let predicate: ContentPredicate
  let node: Address<VerifiedPredicate>
  var entries: [Entry] = []
  /// It is among those that are evaluated for every identifier.
  var isResidual = false

  init(_ predicate: ContentPredicate, _ node: Address<VerifiedPredicate>) {
    self.predicate = predicate
    self.node = node
  }
}
