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
