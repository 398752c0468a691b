// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Tells whether the predicate holds for an identifier.
  ///
  /// Without options texts are compared literally, scalar by scalar: a composed and a decomposed
  /// "é" differ, and so do upper and lower case. Order is that of UTF-16 code units. An empty text
  /// is no prefix, suffix or part of anything.
  ///
  /// The identifier may have any length; the evaluation takes time proportional to the identifier
  /// times the predicate at most (R-PR-3). It allocates nothing unless there are options, or
  /// `SELF` is on the right of `LIKE`.
  ///
  /// - Parameter subject: The target content identifier, `SELF` in the predicate.
  /// - Returns: Whether the predicate holds.
  public func evaluate(_ subject: String) -> Bool {
    switch form {
    case .constant(let value): return value
    case .program(let code):
      var folded = FoldedSubject()
      return PredicateCode.evaluate(code.span, subject.utf8.span, &folded)
    }
  }

  /// Returns the part of the predicate that makes it hold for an identifier.
  ///
  /// - Parameter subject: The target content identifier.
  /// - Returns: Nil if the predicate does not hold; of a disjunction the first part that holds, or
  ///   that part's part; else the predicate itself.
  package func matchedPart(for subject: String) -> ContentPredicate? {
    guard case .program(let code) = form else { return evaluate(subject) ? self : nil }
    let span = code.span
    let subject = subject.utf8.span
    var folded = FoldedSubject()
    guard PredicateCode.evaluate(span, subject, &folded) else { return nil }
    var start = 0
    while span[start] == PredicateCode.disjunction {
      start += PredicateCode.headerByteCount
      var next = start
      while !PredicateCode.evaluate(span, &next, subject, &folded) { start = next }
    }
    let end = PredicateCode.end(span, ofNodeAt: start)
    return ContentPredicate(code: span.extracting(start..<end))
  }
}
