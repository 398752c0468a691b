// SPDX-License-Identifier: Apache-2.0

/// A timeline as a test expects it: lines in order, and groups of lines whose order is left open.
///
/// Its text has one entry a line; spaces at the beginning and the end of a line count for nothing,
/// and neither do empty lines and those that begin with `//`. Between `{` and `}`, each alone on
/// its line, are sequences whose lines may alternate in any way, divided by `|`; within each the
/// order counts. Few orders hold between scenes (semantics#ordering-between-scenes), so that two
/// scenes that go to the background together are written thus:
///
///     {
///       S1#1.willResignActive
///       S1#1.didEnterBackground
///     |
///       S2#1.willResignActive
///       S2#1.didEnterBackground
///     }
public struct ExpectedTimeline: Sendable, Hashable {
  /// What is expected at one place.
  public enum Entry: Sendable, Hashable {
    /// One line.
    case line(String)
    /// Lines of several sequences, each in its own order and anyhow with those of the others.
    case unordered([[String]])
  }

  /// The largest text that is read, in UTF-8 bytes.
  public static let sizeLimit = 1 << 20

  /// What is expected, in order.
  public let entries: [Entry]

  /// Reads an expected timeline from its text.
  ///
  /// - Parameter text: The text, up to ``sizeLimit`` bytes.
  /// - Throws: `limitExceeded` for a longer text, `unexpectedMark` for a `{`, `|` or `}` where none
  ///   is allowed, `missingMark` for a group that is not ended, and `ambiguousLine` for a line that
  ///   is in two sequences of one group: which of them is meant could not be told.
  public init(_ text: String) throws(TimelineSyntaxError) {
    guard text.utf8.count <= Self.sizeLimit else {
      throw TimelineSyntaxError(
        .limitExceeded, line: 1, expected: "at most \(Self.sizeLimit) bytes",
        found: "\(text.utf8.count)")
    }
    var reader = ExpectedTimelineReader()
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let trimmed = line.trimmingSpaces
      if !trimmed.isEmpty, !trimmed.hasPrefix("//") {
        try reader.read(String(trimmed), line: number)
      }
    }
    entries = try reader.finish(line: number)
  }

  /// Expects what was recorded, in its order.
  public init(_ timeline: Timeline) {
    entries = timeline.lines.map { .line($0) }
  }
}

extension ExpectedTimeline: CustomStringConvertible {
  /// The text from which it can be read again.
  public var description: String {
    entries.map { entry in
      switch entry {
      case .line(let line): "\(line)\n"
      case .unordered(let sequences):
        "{\n" + sequences.map { $0.map { "  \($0)\n" }.joined() }.joined(separator: "|\n") + "}\n"
      }
    }
    .joined()
  }
}

extension Substring {
  /// The text without the spaces and tabs at its ends.
  fileprivate var trimmingSpaces: Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var trimmed = drop(while: isBlank)
    while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
    return trimmed
  }
}

/// Puts the lines of an expected timeline's text together, one after the other.
struct ExpectedTimelineReader {
  /// A group that has begun.
  private struct Group {
    let firstLine: Int
    var finished: [[String]] = []
    var current: [String] = []
    /// The sequence of a line.
    var places: [String: Int] = [:]
  }

  private var entries: [ExpectedTimeline.Entry] = []
  private var group: Group?

  /// Takes one line that is neither empty nor a comment.
  mutating func read(_ text: String, line: Int) throws(TimelineSyntaxError) {
    switch text {
    case "{": try begin(line)
    case "|": try divide(line)
    case "}": try end(line)
    default: try append(text, line)
    }
  }

  /// Ends the text.
  func finish(line: Int) throws(TimelineSyntaxError) -> [ExpectedTimeline.Entry] {
    if let group {
      throw TimelineSyntaxError(
        .missingMark, line: line,
        expected: "} for the group that begins in line \(group.firstLine)", found: "the end")
    }
    return entries
  }

  private mutating func begin(_ line: Int) throws(TimelineSyntaxError) {
    guard group == nil else {
      throw unexpected("{ within a group", line, expected: "a line of the timeline, | or }")
    }
    group = Group(firstLine: line)
  }

  private mutating func divide(_ line: Int) throws(TimelineSyntaxError) {
    guard var open = group, !open.current.isEmpty else {
      throw unexpected(group == nil ? "| outside a group" : "| without a line before it", line)
    }
    open.finished.append(open.current)
    open.current = []
    group = open
  }

  private mutating func end(_ line: Int) throws(TimelineSyntaxError) {
    guard let open = group, !open.current.isEmpty else {
      throw unexpected(group == nil ? "} outside a group" : "} without a line before it", line)
    }
    entries.append(.unordered(open.finished + [open.current]))
    group = nil
  }

  private func unexpected(
    _ found: String, _ line: Int, expected: String = "a line of the timeline"
  ) -> TimelineSyntaxError {
    TimelineSyntaxError(.unexpectedMark, line: line, expected: expected, found: found)
  }

  private mutating func append(_ text: String, _ line: Int) throws(TimelineSyntaxError) {
    guard var open = group else { return entries.append(.line(text)) }
    let sequence = open.finished.count
    guard open.places[text, default: sequence] == sequence else {
      throw TimelineSyntaxError(
        .ambiguousLine, line: line, expected: "a line of this sequence alone",
        found: "\(text), which is in another sequence of the group too")
    }
    open.places[text] = sequence
    open.current.append(text)
    group = open
  }
}

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
