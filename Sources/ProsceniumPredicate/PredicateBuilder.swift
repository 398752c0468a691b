// SPDX-License-Identifier: Apache-2.0

/// Makes predicates of comparisons and connectives within their limits.
enum PredicateBuilder {
  /// Makes the predicate of one comparison of `SELF`.
  static func comparing(
    _ relation: Comparison.Relation, _ options: ContentPredicate.Options,
    _ right: Comparison.Operand
  ) throws(PredicateFormatError) -> ContentPredicate {
    // Checked before texts are folded, so that huge ones cost nothing.
    try ContentPredicate.Limit.checkCanonicalByteCount(right.leastCanonicalByteCount)
    return try ContentPredicate(
      checking: .comparison(
        Comparison(left: .subject, relation: relation, options: options, right: right)))
  }

  /// Makes the predicate of one comparison of `SELF` with a text.
  static func comparing(
    _ relation: Comparison.Relation, _ options: ContentPredicate.Options,
    _ text: some StringProtocol
  ) throws(PredicateFormatError) -> ContentPredicate {
    try ContentPredicate.Limit.checkCanonicalByteCount(text.utf8.count)
    return try comparing(relation, options, .text(LiteralText(String(text))))
  }

  /// Makes the predicate of one comparison of `SELF` with a text in the source.
  static func comparing(
    _ relation: Comparison.Relation, _ options: ContentPredicate.Options, literal: StaticString
  ) -> ContentPredicate {
    trusted { () throws(PredicateFormatError) in
      try comparing(relation, options, literal.description)
    }
  }

  /// Makes a predicate of literals in the source; to exceed a limit there is a mistake.
  static func trusted(
    _ make: () throws(PredicateFormatError) -> ContentPredicate
  ) -> ContentPredicate {
    do {
      return try make()
    } catch {
      preconditionFailure(error.description)
    }
  }

  /// Joins predicates to one; `nil` of none.
  static func joining(
    _ predicates: [ContentPredicate], _ join: ([PredicateExpression]) -> PredicateExpression,
    _ dissolve: (PredicateExpression) -> [PredicateExpression]
  ) throws(PredicateFormatError) -> ContentPredicate? {
    guard predicates.count > 1 else { return predicates.first }
    try ContentPredicate.Limit.checkTermCount(predicates.count)
    return try ContentPredicate(checking: join(predicates.flatMap { dissolve($0.expression) }))
  }
}

extension Comparison.Operand {
  /// A number of bytes that the operand takes at least in the canonical string.
  fileprivate var leastCanonicalByteCount: Int {
    switch self {
    case .subject: 4
    case .text(let literal): literal.bytes.count + 2
    case .list(let elements):
      elements.reduce(2) { count, element in
        switch element {
        case .text(let literal): count + literal.bytes.count + 2
        default: count + 4
        }
      }
    }
  }
}
