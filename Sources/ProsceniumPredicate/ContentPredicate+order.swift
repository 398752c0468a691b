// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Makes the predicate that holds for the identifiers before a bound
  /// given in the source, `SELF < "…"`.
  ///
  /// Order is that of UTF-16 code units.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The bound, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func isLess(
    than literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.comparing(.less, options, literal: literal)
  }

  /// Makes the predicate that holds for the identifiers before a bound,
  /// `SELF < "…"`.
  ///
  /// Order is that of UTF-16 code units.
  ///
  /// - Parameters:
  ///   - text: The bound, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func isLess(
    than text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.less, options, text)
  }

  /// Makes the predicate that holds for the identifiers up to a bound
  /// given in the source, `SELF <= "…"`.
  ///
  /// Order is that of UTF-16 code units.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The bound, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func isAtMost(
    _ literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.comparing(.lessOrEqual, options, literal: literal)
  }

  /// Makes the predicate that holds for the identifiers up to a bound,
  /// `SELF <= "…"`.
  ///
  /// Order is that of UTF-16 code units.
  ///
  /// - Parameters:
  ///   - text: The bound, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func isAtMost(
    _ text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.lessOrEqual, options, text)
  }

  /// Makes the predicate that holds for the identifiers after a bound
  /// given in the source, `SELF > "…"`.
  ///
  /// Order is that of UTF-16 code units.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The bound, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func isGreater(
    than literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.comparing(.greater, options, literal: literal)
  }

  /// Makes the predicate that holds for the identifiers after a bound,
  /// `SELF > "…"`.
  ///
  /// Order is that of UTF-16 code units.
  ///
  /// - Parameters:
  ///   - text: The bound, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func isGreater(
    than text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.greater, options, text)
  }

  /// Makes the predicate that holds for the identifiers from a bound on
  /// given in the source, `SELF >= "…"`.
  ///
  /// Order is that of UTF-16 code units.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The bound, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func isAtLeast(
    _ literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.comparing(.greaterOrEqual, options, literal: literal)
  }

  /// Makes the predicate that holds for the identifiers from a bound on,
  /// `SELF >= "…"`.
  ///
  /// Order is that of UTF-16 code units.
  ///
  /// - Parameters:
  ///   - text: The bound, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func isAtLeast(
    _ text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.greaterOrEqual, options, text)
  }

  /// Makes the predicate that holds for the identifiers from one bound to another one, both given
  /// in the source and included, `SELF BETWEEN {"…", "…"}`.
  ///
  /// Order is that of UTF-16 code units, and bounds in the wrong order hold nothing. Literals over
  /// the limit of 4,096 bytes (R-PR-3) are a programmer's error and trap; texts that are known only
  /// at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - lower: The lower bound, taken as it is.
  ///   - upper: The upper bound, taken as it is.
  /// - Returns: The predicate.
  public static func isBetween(
    _ lower: StaticString, and upper: StaticString
  ) -> ContentPredicate {
    PredicateBuilder.trusted { () throws(PredicateFormatError) in
      try PredicateBuilder.comparing(.between, [], .list([lower.description, upper.description]))
    }
  }

  /// Makes the predicate that holds for the identifiers from one bound to another one, both
  /// included, `SELF BETWEEN {"…", "…"}`.
  ///
  /// Order is that of UTF-16 code units, and bounds in the wrong order hold nothing.
  ///
  /// - Parameters:
  ///   - lower: The lower bound, taken as it is.
  ///   - upper: The upper bound, taken as it is.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func isBetween(
    _ lower: some StringProtocol, and upper: some StringProtocol
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.between, [], .list([String(lower), String(upper)]))
  }

  /// Makes the predicate that holds for the identifiers of a list given in the source,
  /// `SELF IN {"…", "…"}`.
  ///
  /// An empty list has no identifier. Literals over the limit of 4,096 bytes (R-PR-3) are a
  /// programmer's error and trap; texts that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literals: The identifiers, taken as they are.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func isIn(
    _ literals: [StaticString], options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.trusted { () throws(PredicateFormatError) in
      try PredicateBuilder.comparing(.isIn, options, .list(literals.map(\.description)))
    }
  }

  /// Makes the predicate that holds for the identifiers of a list, `SELF IN {"…", "…"}`.
  ///
  /// An empty list has no identifier.
  ///
  /// - Parameters:
  ///   - texts: The identifiers, taken as they are; nothing in them has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func isIn(
    _ texts: [some StringProtocol], options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.isIn, options, .list(texts.map { String($0) }))
  }
}

extension Comparison.Operand {
  fileprivate static func list(_ texts: [String]) -> Comparison.Operand {
    .list(texts.map { .text(LiteralText($0)) })
  }
}
