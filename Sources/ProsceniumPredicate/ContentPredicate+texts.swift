// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Makes the predicate that holds for one identifier
  /// given in the source, `SELF == "…"`.
  ///
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The identifier, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func equals(
    _ literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    trusted { () throws(PredicateFormatError) in
      try comparing(.equal, options, literal.description)
    }
  }

  /// Makes the predicate that holds for one identifier,
  /// `SELF == "…"`.
  ///
  /// - Parameters:
  ///   - text: The identifier, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func equals(
    _ text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try comparing(.equal, options, String(text))
  }

  /// Makes the predicate that holds for every identifier but one
  /// given in the source, `SELF != "…"`.
  ///
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The identifier, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func differs(
    from literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    trusted { () throws(PredicateFormatError) in
      try comparing(.notEqual, options, literal.description)
    }
  }

  /// Makes the predicate that holds for every identifier but one,
  /// `SELF != "…"`.
  ///
  /// - Parameters:
  ///   - text: The identifier, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func differs(
    from text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try comparing(.notEqual, options, String(text))
  }

  /// Makes the predicate that holds for the identifiers that begin with a prefix
  /// given in the source, `SELF BEGINSWITH "…"`.
  ///
  /// An empty prefix begins no identifier.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The prefix, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func hasPrefix(
    _ literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    trusted { () throws(PredicateFormatError) in
      try comparing(.beginsWith, options, literal.description)
    }
  }

  /// Makes the predicate that holds for the identifiers that begin with a prefix,
  /// `SELF BEGINSWITH "…"`.
  ///
  /// An empty prefix begins no identifier.
  ///
  /// - Parameters:
  ///   - text: The prefix, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func hasPrefix(
    _ text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try comparing(.beginsWith, options, String(text))
  }

  /// Makes the predicate that holds for the identifiers that end with a suffix
  /// given in the source, `SELF ENDSWITH "…"`.
  ///
  /// An empty suffix ends no identifier.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The suffix, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func hasSuffix(
    _ literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    trusted { () throws(PredicateFormatError) in
      try comparing(.endsWith, options, literal.description)
    }
  }

  /// Makes the predicate that holds for the identifiers that end with a suffix,
  /// `SELF ENDSWITH "…"`.
  ///
  /// An empty suffix ends no identifier.
  ///
  /// - Parameters:
  ///   - text: The suffix, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func hasSuffix(
    _ text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try comparing(.endsWith, options, String(text))
  }
}
