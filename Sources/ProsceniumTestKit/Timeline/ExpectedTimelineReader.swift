// SPDX-License-Identifier: Apache-2.0

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
      throw TimelineSyntaxError(
        .unexpectedMark, line: line, expected: "a line of the timeline, | or }",
        found: "{ within a group")
    }
    group = Group(firstLine: line)
  }

  private mutating func divide(_ line: Int) throws(TimelineSyntaxError) {
    guard var open = group, !open.current.isEmpty else {
      throw TimelineSyntaxError(
        .unexpectedMark, line: line, expected: "a line of the timeline",
        found: group == nil ? "| outside a group" : "| without a line before it")
    }
    open.finished.append(open.current)
    open.current = []
    group = open
  }

  private mutating func end(_ line: Int) throws(TimelineSyntaxError) {
    guard let open = group, !open.current.isEmpty else {
      throw TimelineSyntaxError(
        .unexpectedMark, line: line, expected: "a line of the timeline",
        found: group == nil ? "} outside a group" : "} without a line before it")
    }
    entries.append(.unordered(open.finished + [open.current]))
    group = nil
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
