// SPDX-License-Identifier: Apache-2.0

/// A condition on a target content identifier, such as `SELF BEGINSWITH "a/"`.
///
/// Scenes say with such predicates which content they can show and which they prefer. A predicate
/// is a value: it can be stored, compared, printed and evaluated on any thread. It is made of a
/// format (``init(format:_:)``) or by functions such as `equals` and ``any(of:)``; both give the
/// same predicates.
///
/// Every refusal happens when a predicate is made (R-PR-1), so a predicate that exists is always
/// within the limits (R-PR-3): its canonical string has at most 4,096 UTF-8 bytes, and it has at
/// most 64 comparisons and constants.
///
/// Two predicates are equal if their canonical strings are the same, byte for byte. Predicates
/// that merely have the same meaning are not: `a OR b` differs from `b OR a`.
public struct ContentPredicate: Sendable, Hashable {
  /// The predicate as a tree, in one word; the constants allocate nothing.
  package let expression: PredicateExpression

  /// Makes a predicate of an expression within the limits.
  init(_ expression: PredicateExpression) {
    self.expression = expression
  }

  /// The predicate that holds for every identifier, `TRUEPREDICATE`.
  public static var `true`: ContentPredicate { ContentPredicate(.constant(true)) }

  /// The predicate that holds for no identifier, `FALSEPREDICATE`.
  public static var `false`: ContentPredicate { ContentPredicate(.constant(false)) }

  /// Differences between texts that a comparison ignores, `[c]`, `[d]` and `[cd]`.
  ///
  /// With any option canonically equivalent texts are equal too: a composed and a decomposed "é".
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options' bits.
    public let rawValue: UInt8

    /// Creates options from their bits.
    ///
    /// - Parameter rawValue: The bits; those that are no option's are dropped.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue & 0b11
    }

    /// Ignores case, by Unicode's full case folding: "STRASSE" equals "straße".
    public static let caseInsensitive = Options(rawValue: 1)

    /// Ignores the diacritics U+0300 to U+036F: "cafe" equals "café".
    public static let diacriticInsensitive = Options(rawValue: 2)
  }
}

// MARK: - Formats

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

extension ContentPredicate: CustomStringConvertible {
  /// The predicate's canonical string, such as `SELF == "a" OR SELF == "b"`.
  ///
  /// Equal predicates have the same canonical string and different ones have different strings. As
  /// a format it makes the same predicate again. It has at most 4,096 UTF-8 bytes (R-PR-3). Texts
  /// are in double quotes with the escapes `\\`, `\"`, `\n`, `\r` and `\t`; other characters
  /// below U+0020 and U+007F are written as `\u00xx`, all else as itself (R-PR-2).
  public var description: String {
    String(decoding: CanonicalWriter(expression).output, as: UTF8.self)
  }
}

extension ContentPredicate: Codable {
  /// Creates a predicate of its canonical string, or of any other format without placeholders.
  ///
  /// - Parameter decoder: Gives one string.
  /// - Throws: `DecodingError.dataCorrupted` with the sentence of the `PredicateFormatError` if the
  ///   string makes no predicate; any other error of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let format = try container.decode(String.self)
    do {
      try self.init(format: format, arguments: [])
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Encodes the canonical string.
  ///
  /// - Parameter encoder: Takes one string.
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

// MARK: - Limits

extension ContentPredicate {
  /// What bounds the cost of a predicate (R-PR-3).
  enum Limit {
    /// The largest length of a format in UTF-8 bytes.
    static let formatByteCount = 4_096
    /// The largest length of a canonical string in UTF-8 bytes.
    static let canonicalByteCount = 4_096
    /// The largest number of comparisons and constants.
    static let termCount = 64

    static func checkFormatByteCount(_ count: Int) throws(PredicateFormatError) {
      guard count > formatByteCount else { return }
      throw PredicateFormatError(
        .limitExceeded,
        "A predicate's format must have at most \(formatByteCount) UTF-8 bytes, and it has "
          + "\(count).")
    }

    static func checkCanonicalByteCount(_ count: Int) throws(PredicateFormatError) {
      guard count > canonicalByteCount else { return }
      throw PredicateFormatError(
        .limitExceeded,
        "A predicate's canonical string must have at most \(canonicalByteCount) UTF-8 bytes.")
    }

    static func checkTermCount(_ count: Int) throws(PredicateFormatError) {
      guard count > termCount else { return }
      throw PredicateFormatError(
        .limitExceeded,
        "A predicate must have at most \(termCount) comparisons and constants.")
    }
  }

  /// Makes a predicate of an expression.
  ///
  /// - Throws: `limitExceeded` if it has too many terms, or if its canonical string is too long.
  init(checking expression: PredicateExpression) throws(PredicateFormatError) {
    try Limit.checkTermCount(expression.termCount)
    try Limit.checkCanonicalByteCount(CanonicalWriter(expression).output.count)
    self.init(expression)
  }
}

// MARK: - Evaluation

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
    var folded = FoldedSubject()
    return evaluate(subject.utf8.span, &folded)
  }

  /// Tells whether the predicate holds for an identifier in UTF-8, of which the folded forms that
  /// are known are kept.
  package func evaluate(_ subject: Span<UInt8>, _ folded: inout FoldedSubject) -> Bool {
    expression.evaluate(subject, &folded)
  }

  /// Returns the part of the predicate that makes it hold for an identifier.
  ///
  /// - Parameter subject: The target content identifier.
  /// - Returns: Nil if the predicate does not hold; of a disjunction the first part that holds, or
  ///   that part's part; else the predicate itself.
  package func matchedPart(for subject: String) -> ContentPredicate? {
    let subject = subject.utf8.span
    var folded = FoldedSubject()
    guard expression.evaluate(subject, &folded) else { return nil }
    var part = expression
    search: while case .or(let parts) = part {
      for next in parts where next.evaluate(subject, &folded) {
        part = next
        continue search
      }
      break
    }
    return ContentPredicate(part)
  }
}
