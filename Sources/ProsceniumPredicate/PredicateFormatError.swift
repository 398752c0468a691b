// SPDX-License-Identifier: Apache-2.0

/// The reason why a predicate was not made.
///
/// Nothing else fails: a predicate that exists can be set, stored and evaluated (R-PR-1).
public struct PredicateFormatError: Error, Sendable, Hashable {
  /// The kind of the refusal.
  public let code: Code

  /// A sentence that says what was expected.
  public let message: String

  /// The place of the first offending token, as an offset in the format in UTF-8 bytes, or nil if
  /// the refusal has no place.
  public let position: Int?

  init(_ code: Code, _ message: String, position: Int? = nil) {
    self.code = code
    self.message = message
    self.position = position
  }
}

extension PredicateFormatError {
  /// A kind of refusal; more of them may come in later versions.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
      case syntax, operatorNotAllowed, keyPathNotAllowed, variableNotAllowed, functionNotAllowed
      case typeMismatch, argument, limitExceeded, blockNotAllowed
    }

    private let name: Name

    /// The code's name, such as `limitExceeded`.
    public var description: String { name.rawValue }

    /// The text is not a sentence of the predicate language (R-PR-2, R-PR-4).
    public static let syntax = Code(name: .syntax)

    /// An operator that costs too much or belongs to collections, such as `MATCHES` (R-PR-1).
    public static let operatorNotAllowed = Code(name: .operatorNotAllowed)

    /// A key path other than `SELF` (R-PR-1).
    public static let keyPathNotAllowed = Code(name: .keyPathNotAllowed)

    /// A variable such as `$x` (R-PR-2).
    public static let variableNotAllowed = Code(name: .variableNotAllowed)

    /// A function, a cast or a subquery (R-PR-2).
    public static let functionNotAllowed = Code(name: .functionNotAllowed)

    /// An operand that does not fit its operator (R-PR-2).
    public static let typeMismatch = Code(name: .typeMismatch)

    /// An argument that is missing, or neither a string nor a list of strings (R-PR-2).
    public static let argument = Code(name: .argument)

    /// A predicate over 4,096 UTF-8 bytes, or over 64 comparisons and constants (R-PR-3).
    public static let limitExceeded = Code(name: .limitExceeded)

    /// A predicate that is not made of a format, such as a block (R-PR-1).
    public static let blockNotAllowed = Code(name: .blockNotAllowed)
  }
}

extension PredicateFormatError: CustomStringConvertible {
  /// The code, the place if there is one, and the sentence.
  public var description: String {
    let place = position.map { " at byte \($0)" } ?? ""
    return "\(code)\(place): \(message)"
  }
}

extension PredicateFormatError {
  /// The description, and below it the format's line with a mark under the place.
  ///
  /// ```
  /// syntax at byte 5: An operator such as == or BEGINSWITH was expected, and …
  ///   SELF BEGINWITH 'a/'
  ///        ^
  /// ```
  ///
  /// Of a long line 60 characters around the place are shown. The mark is right where each
  /// character takes one column.
  ///
  /// - Parameter format: The format that was refused.
  /// - Returns: One line if the refusal has no place in the format, else three.
  public func rendered(in format: String) -> String {
    guard let position, position <= format.utf8.count else { return description }
    let place = format.utf8.index(format.startIndex, offsetBy: position)
    let scalars = format.unicodeScalars
    let isBreak = { (scalar: Unicode.Scalar) in scalar == "\n" || scalar == "\r" }
    let before = scalars[..<place].reversed().prefix { !isBreak($0) }.prefix(40).reversed()
    let after = scalars[place...].prefix { !isBreak($0) }.prefix(60 - before.count)
    let line = String(String.UnicodeScalarView(before + Array(after)))
    let mark = String(repeating: " ", count: String(String.UnicodeScalarView(before)).count) + "^"
    return "\(description)\n  \(line)\n  \(mark)"
  }
}
