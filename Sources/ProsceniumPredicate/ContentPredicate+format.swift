// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Makes a predicate of a format, such as `SELF BEGINSWITH %@ OR SELF IN {'a', 'b'}`.
  ///
  /// The format is a sentence of the predicate language (R-PR-2). Each `%@` and `%K` outside
  /// strings takes the next argument; surplus ones are ignored. For `%@` that is a string, taken as
  /// it is, or a list of strings; for `%K` it is `"SELF"`.
  ///
  /// - Parameters:
  ///   - format: The sentence, at most 4,096 UTF-8 bytes.
  ///   - arguments: Strings and arrays of strings.
  /// - Throws: `PredicateFormatError` with the place of the first token that is not allowed; with
  ///   `limitExceeded` if the format or the canonical string has over 4,096 UTF-8 bytes, or if
  ///   there are over 64 comparisons and constants (R-PR-3).
  public init(format: String, arguments: [any Sendable]) throws(PredicateFormatError) {
    try Limit.checkFormatByteCount(format.utf8.count)
    var parser = PredicateParser(format, arguments)
    self = try parser.predicate()
  }

  /// Makes a predicate of a format, such as `SELF BEGINSWITH %@ OR SELF IN {'a', 'b'}`.
  ///
  /// Use the other form for arguments that are literals in the source.
  ///
  /// - Parameters:
  ///   - format: The sentence, at most 4,096 UTF-8 bytes.
  ///   - arguments: Strings and arrays of strings.
  /// - Throws: `PredicateFormatError` as the other form does.
  public init(format: String, _ arguments: any Sendable...) throws(PredicateFormatError) {
    try self.init(format: format, arguments: arguments)
  }
}
