// SPDX-License-Identifier: Apache-2.0

/// Says why a text is no expected timeline: in which line, what was expected and what was found.
public struct TimelineSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// A `{`, `|` or `}` is where none is allowed.
    public static let unexpectedMark = Code("unexpectedMark")
    /// A group is not ended.
    public static let missingMark = Code("missingMark")
    /// A line is in two sequences of one group.
    public static let ambiguousLine = Code("ambiguousLine")
    /// The text is too large.
    public static let limitExceeded = Code("limitExceeded")
  }

  /// The kind of the error.
  public let code: Code

  /// The number of the line, counted from 1.
  public let line: Int

  /// What was expected there, as part of a sentence.
  public let expected: String

  /// What was found instead, as part of a sentence.
  public let found: String

  init(_ code: Code, line: Int, expected: String, found: String) {
    self.code = code
    self.line = line
    self.expected = expected
    self.found = found
  }

  /// The line and the sentence.
  public var description: String {
    "line \(line): expected \(expected), found \(found)"
  }
}
