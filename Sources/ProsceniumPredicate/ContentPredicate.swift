// SPDX-License-Identifier: Apache-2.0

/// A condition on a target content identifier, such as `SELF BEGINSWITH "a/"`.
///
/// Scenes say with such predicates which content they can show and which they prefer. A predicate
/// is a value: it can be stored, compared, printed and evaluated on any thread.
///
/// Every refusal happens when a predicate is made (R-PR-1), so a predicate that exists is always
/// within the limits (R-PR-3): its canonical string has at most 4,096 UTF-8 bytes, and it has at
/// most 64 comparisons and constants.
///
/// Two predicates are equal if their canonical strings are the same, byte for byte. Predicates
/// that merely have the same meaning are not: `a OR b` differs from `b OR a`.
public struct ContentPredicate: Sendable, Hashable {
  /// The predicate's outermost node; one word, and the constants allocate nothing.
  let form: Form

  enum Form: Sendable, Hashable {
    case constant(Bool)
    case node(Node)
  }

  /// An allocated node of the predicate's tree.
  final class Node: Sendable, Hashable {
    let expression: Expression

    init(_ expression: Expression) {
      self.expression = expression
    }

    static func == (left: Node, right: Node) -> Bool {
      left === right || left.expression == right.expression
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(expression)
    }
  }

  enum Expression: Sendable, Hashable {
    case comparison(Comparison)
    /// Holds if any of the parts does; at least two of them.
    case or([ContentPredicate])
  }

  init(form: Form) {
    self.form = form
  }

  init(_ expression: Expression) {
    form = .node(Node(expression))
  }
}

extension ContentPredicate {
  /// The predicate that holds for every identifier, `TRUEPREDICATE`.
  public static var `true`: ContentPredicate { ContentPredicate(form: .constant(true)) }

  /// The predicate that holds for no identifier, `FALSEPREDICATE`.
  public static var `false`: ContentPredicate { ContentPredicate(form: .constant(false)) }

  /// Makes the predicate that holds for one identifier, given in the source, `SELF == "…"`.
  ///
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameter literal: The identifier, compared byte by byte.
  /// - Returns: The predicate.
  public static func equals(_ literal: StaticString) -> ContentPredicate {
    trusted(.equal, literal)
  }

  /// Makes the predicate that holds for one identifier, `SELF == "…"`.
  ///
  /// - Parameter text: The identifier, compared byte by byte; taken as it is, nothing in it has a
  ///   special meaning.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func equals(
    _ text: String
  ) throws(PredicateFormatError) -> ContentPredicate {
    try comparing(.equal, text)
  }

  /// Makes the predicate that holds for the identifiers that begin with a prefix given in the
  /// source, `SELF BEGINSWITH "…"`.
  ///
  /// An empty prefix begins no identifier. A literal over the limit of 4,096 bytes (R-PR-3) is a
  /// programmer's error and traps; texts that are known only at run time go to the throwing form.
  ///
  /// - Parameter literal: The prefix, compared byte by byte.
  /// - Returns: The predicate.
  public static func hasPrefix(_ literal: StaticString) -> ContentPredicate {
    trusted(.beginsWith, literal)
  }

  /// Makes the predicate that holds for the identifiers that begin with a prefix,
  /// `SELF BEGINSWITH "…"`.
  ///
  /// An empty prefix begins no identifier.
  ///
  /// - Parameter text: The prefix, compared byte by byte; taken as it is, nothing in it has a
  ///   special meaning.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func hasPrefix(
    _ text: String
  ) throws(PredicateFormatError) -> ContentPredicate {
    try comparing(.beginsWith, text)
  }

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
    guard let first = predicates.first else { return .false }
    if predicates.count == 1 { return first }
    var parts: [ContentPredicate] = []
    parts.reserveCapacity(min(predicates.count, Limit.termCount))
    for predicate in predicates {
      if case .node(let node) = predicate.form, case .or(let nested) = node.expression {
        parts += nested
      } else {
        parts.append(predicate)
      }
      // Every part is one comparison or constant: a chain never stands in a chain.
      try Limit.checkTermCount(parts.count)
    }
    let result = ContentPredicate(.or(parts))
    try Limit.checkCanonicalByteCount(result.canonicalByteCount)
    return result
  }

  private static func comparing(
    _ relation: Comparison.Relation, _ text: String
  ) throws(PredicateFormatError) -> ContentPredicate {
    // Checked before the text is looked at, so that a huge one costs nothing.
    try Limit.checkCanonicalByteCount(text.utf8.count)
    let comparison = Comparison(left: .subject, relation: relation, right: .text(LiteralText(text)))
    let result = ContentPredicate(.comparison(comparison))
    try Limit.checkCanonicalByteCount(result.canonicalByteCount)
    return result
  }

  private static func trusted(
    _ relation: Comparison.Relation, _ literal: StaticString
  ) -> ContentPredicate {
    do {
      return try comparing(relation, literal.description)
    } catch {
      preconditionFailure(error.description)
    }
  }
}
