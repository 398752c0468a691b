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
    trusted { () throws(PredicateFormatError) in
      try comparing(.less, options, literal.description)
    }
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
    try comparing(.less, options, String(text))
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
    trusted { () throws(PredicateFormatError) in
      try comparing(.lessOrEqual, options, literal.description)
    }
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
    try comparing(.lessOrEqual, options, String(text))
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
    trusted { () throws(PredicateFormatError) in
      try comparing(.greater, options, literal.description)
    }
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
    try comparing(.greater, options, String(text))
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
    trusted { () throws(PredicateFormatError) in
      try comparing(.greaterOrEqual, options, literal.description)
    }
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
    try comparing(.greaterOrEqual, options, String(text))
  }
}
