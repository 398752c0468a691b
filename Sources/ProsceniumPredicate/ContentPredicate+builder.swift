// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
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
    try PredicateBuilder.joining(predicates, PredicateExpression.or) { expression in
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
    try PredicateBuilder.joining(predicates, PredicateExpression.and) { expression in
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
}
