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
    PredicateBuilder.comparing(.equal, options, literal: literal)
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
    try PredicateBuilder.comparing(.equal, options, text)
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
    PredicateBuilder.comparing(.notEqual, options, literal: literal)
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
    try PredicateBuilder.comparing(.notEqual, options, text)
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
    PredicateBuilder.comparing(.beginsWith, options, literal: literal)
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
    try PredicateBuilder.comparing(.beginsWith, options, text)
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
    PredicateBuilder.comparing(.endsWith, options, literal: literal)
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
    try PredicateBuilder.comparing(.endsWith, options, text)
  }

  /// Makes the predicate that holds for the identifiers that contain a text
  /// given in the source, `SELF CONTAINS "…"`.
  ///
  /// An empty text is contained in no identifier.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The part, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func contains(
    _ literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.comparing(.contains, options, literal: literal)
  }

  /// Makes the predicate that holds for the identifiers that contain a text,
  /// `SELF CONTAINS "…"`.
  ///
  /// An empty text is contained in no identifier.
  ///
  /// - Parameters:
  ///   - text: The part, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func contains(
    _ text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.contains, options, text)
  }

  /// Makes the predicate that holds for the identifiers that are a part of a text
  /// given in the source, `SELF IN "…"`.
  ///
  /// An empty identifier is a part of nothing.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The whole, taken as it is.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func isContained(
    in literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.comparing(.isIn, options, literal: literal)
  }

  /// Makes the predicate that holds for the identifiers that are a part of a text,
  /// `SELF IN "…"`.
  ///
  /// An empty identifier is a part of nothing.
  ///
  /// - Parameters:
  ///   - text: The whole, taken as it is; nothing in it has a special meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func isContained(
    in text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.isIn, options, text)
  }

  /// Makes the predicate that holds for the identifiers that match a pattern
  /// given in the source, `SELF LIKE "…"`.
  ///
  /// The whole identifier must match. `*` is any run of scalars and `?` exactly one; `\*`, `\?` and
  /// `\\` are those characters, and any other backslash is itself.
  /// A literal over the limit of 4,096 bytes (R-PR-3) is a programmer's error and traps; texts
  /// that are known only at run time go to the throwing form.
  ///
  /// - Parameters:
  ///   - literal: The pattern, in which only wildcards have a meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  public static func like(
    _ literal: StaticString, options: Options = []
  ) -> ContentPredicate {
    PredicateBuilder.comparing(.like, options, literal: literal)
  }

  /// Makes the predicate that holds for the identifiers that match a pattern,
  /// `SELF LIKE "…"`.
  ///
  /// The whole identifier must match. `*` is any run of scalars and `?` exactly one; `\*`, `\?` and
  /// `\\` are those characters, and any other backslash is itself.
  ///
  /// - Parameters:
  ///   - text: The pattern, in which only wildcards have a meaning.
  ///   - options: What the comparison ignores.
  /// - Returns: The predicate.
  /// - Throws: `PredicateFormatError` with the code `limitExceeded` if the canonical string would
  ///   have over 4,096 UTF-8 bytes (R-PR-3).
  @_disfavoredOverload
  public static func like(
    _ text: some StringProtocol, options: Options = []
  ) throws(PredicateFormatError) -> ContentPredicate {
    try PredicateBuilder.comparing(.like, options, text)
  }
}
