// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Makes the predicate of one comparison of `SELF`.
  static func comparing(
    _ relation: Comparison.Relation, _ options: Options, _ right: Comparison.Operand
  ) throws(PredicateFormatError) -> ContentPredicate {
    // Checked before texts are folded, so that huge ones cost nothing.
    try Limit.checkCanonicalByteCount(right.leastCanonicalByteCount)
    return try ContentPredicate(
      checking: .comparison(
        Comparison(left: .subject, relation: relation, options: options, right: right)))
  }

  /// Makes the predicate of one comparison of `SELF` with a text.
  static func comparing(
    _ relation: Comparison.Relation, _ options: Options, _ text: some StringProtocol
  ) throws(PredicateFormatError) -> ContentPredicate {
    try Limit.checkCanonicalByteCount(text.utf8.count)
    return try comparing(relation, options, .text(LiteralText(String(text))))
  }

  /// Makes the predicate of one comparison of `SELF` with a text in the source.
  static func comparing(
    _ relation: Comparison.Relation, _ options: Options, literal: StaticString
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

  // MARK: - Connectives

  /// Makes the predicate that holds if any of some predicates does, `… OR …`.
  ///
  /// Parts that are themselves such disjunctions are dissolved into one chain. A single part is
  /// returned as it is; without any part the result is ``false``.
  ///
  /// - Parameter predicates: The parts, kept in this order.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if there would be over 64
  ///   comparisons and constants, or over 4,096 UTF-8 bytes in the canonical string (R-PR-3).
  public static func any(
    of predicates: [ContentPredicate]
  ) throws(PredicateFormatError) -> ContentPredicate {
    try joining(predicates, PredicateExpression.or) { expression in
      if case .or(let parts) = expression { parts } else { [expression] }
    } ?? .false
  }

  /// Makes the predicate that holds if all of some predicates do, `… AND …`.
  ///
  /// Parts that are themselves such conjunctions are dissolved into one chain. A single part is
  /// returned as it is; without any part the result is ``true``.
  ///
  /// - Parameter predicates: The parts, kept in this order.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if there would be over 64
  ///   comparisons and constants, or over 4,096 UTF-8 bytes in the canonical string (R-PR-3).
  public static func all(
    of predicates: [ContentPredicate]
  ) throws(PredicateFormatError) -> ContentPredicate {
    try joining(predicates, PredicateExpression.and) { expression in
      if case .and(let parts) = expression { parts } else { [expression] }
    } ?? .true
  }

  /// Makes the predicate that holds if either of two does, `left OR right`.
  ///
  /// It is the chain of ``any(of:)``, so `try a || b || c` is one disjunction of three.
  ///
  /// - Parameters:
  ///   - left: The first part.
  ///   - right: The second part.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` as ``any(of:)`` does.
  public static func || (
    left: ContentPredicate, right: ContentPredicate
  ) throws(PredicateFormatError) -> ContentPredicate {
    try any(of: [left, right])
  }

  /// Makes the predicate that holds if both of two do, `left AND right`.
  ///
  /// It is the chain of ``all(of:)``, so `try a && b && c` is one conjunction of three.
  ///
  /// - Parameters:
  ///   - left: The first part.
  ///   - right: The second part.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` as ``all(of:)`` does.
  public static func && (
    left: ContentPredicate, right: ContentPredicate
  ) throws(PredicateFormatError) -> ContentPredicate {
    try all(of: [left, right])
  }

  /// Makes the predicate that holds if another does not, `NOT …`.
  ///
  /// - Parameter predicate: The part; two negations of it are kept.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if there would be over 4,096
  ///   UTF-8 bytes in the canonical string (R-PR-3).
  public static prefix func ! (
    predicate: ContentPredicate
  ) throws(PredicateFormatError) -> ContentPredicate {
    try ContentPredicate(checking: predicate.expression.negated())
  }

  private static func joining(
    _ predicates: [ContentPredicate], _ join: ([PredicateExpression]) -> PredicateExpression,
    _ dissolve: (PredicateExpression) -> [PredicateExpression]
  ) throws(PredicateFormatError) -> ContentPredicate? {
    guard predicates.count > 1 else { return predicates.first }
    try Limit.checkTermCount(predicates.count)
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
