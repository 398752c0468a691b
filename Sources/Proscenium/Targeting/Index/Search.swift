// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// One look at the index for an identifier, and the best session found so far.
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
    if let candidate, wins(candidate) { best = candidate }
  }

  private func wins(_ candidate: Ranked) -> Bool {
    guard let best else { return true }
    return candidate.handle != best.handle && candidate.isBefore(best, identifier)
  }

  /// Considers the sessions and hints of a term that matches.
  mutating func take(_ term: Term, _ subject: Span<UInt8>) {
    consider(term.sessions.best)
    guard !term.hinted.isEmpty, sees(term) else { return }
    for predicate in term.hinted { evaluate(predicate, subject) }
  }

  /// Tells whether an object is seen for the first time.
  mutating func sees(_ object: AnyObject) -> Bool {
    seen.insert(ObjectIdentifier(object)).inserted
  }

  /// Tells whether something would change if a term matched.
  func mayTake(_ term: Term) -> Bool {
    !term.hinted.isEmpty || term.sessions.best.map(wins) ?? false
  }

  /// Considers the sessions of a predicate, if the best of them would win and it holds.
  mutating func evaluate(_ predicate: SharedPredicate, _ subject: Span<UInt8>) {
    guard let candidate = predicate.sessions.best, wins(candidate) else { return }
    if predicate.predicate.evaluate(subject, &folded) { best = candidate }
  }

  /// The identifier, folded.
  mutating func folded(
    _ options: ContentPredicate.Options, _ subject: Span<UInt8>
  ) -> ContiguousArray<UInt8> {
    folded.bytes(options, of: subject)
  }
}
