// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// The best session found so far for an identifier.
struct Search {
  private let identifier: SessionSet.Identifiers
  private var folded = FoldedSubject()
  /// What is not to be looked at again.
  private var seen: Set<ObjectIdentifier> = []
  /// The session that comes first in the order of R-RT-6.
  private(set) var best: Ranked?

  init(_ identifier: @escaping SessionSet.Identifiers) {
    self.identifier = identifier
  }

  /// Takes a session, if it comes before the best one so far.
  mutating func consider(_ candidate: Ranked?) {
    if wins(candidate) { best = candidate }
  }

  /// Takes a session, if it comes before the best one so far and its predicate holds.
  mutating func consider(
    _ candidate: Ranked?, if predicate: ContentPredicate, holdsFor subject: Span<UInt8>
  ) {
    if wins(candidate), predicate.evaluate(subject, &folded) { best = candidate }
  }

  /// Tells whether a session would be taken.
  func wins(_ candidate: Ranked?) -> Bool {
    guard let candidate else { return false }
    guard let best else { return true }
    return candidate.handle != best.handle && candidate.isBefore(best, identifier)
  }

  /// Tells whether an object is seen for the first time.
  mutating func sees(_ object: AnyObject) -> Bool {
    seen.insert(ObjectIdentifier(object)).inserted
  }

  /// The identifier, folded.
  mutating func folded(
    _ options: ContentPredicate.Options, _ subject: Span<UInt8>
  ) -> ContiguousArray<UInt8> {
    folded.bytes(options, of: subject)
  }
}
