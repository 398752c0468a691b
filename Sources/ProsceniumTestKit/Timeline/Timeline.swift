// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What happened to an application and its scenes, as lines of text in the order of events.
///
///     app.didFinishLaunching
///     S1#1.willConnect({url:[app://1]})
///     S1#1.willEnterForeground
///     S1#1.didBecomeActive
///
/// `S1` names a session and `S1#2` the second scene that was connected to it; see
/// <doc:ReadingTimelines> for all lines. A timeline is compared with what a test expects by
/// ``difference(from:)-(ExpectedTimeline)``.
public struct Timeline: Sendable, Hashable {
  /// The lines, none of which holds a line break.
  public let lines: [String]

  /// Creates a timeline from lines.
  ///
  /// - Parameter lines: The lines; a line break in one of them divides it.
  public init(lines: [String]) {
    self.lines = lines.flatMap { line in
      line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
  }

  /// Compares the timeline with an expected one.
  ///
  /// - Parameter expected: What should have happened.
  /// - Returns: Where they differ first, with the lines around it, to be shown to people; nil if
  ///   they do not differ.
  public func difference(from expected: ExpectedTimeline) -> String? {
    var comparison = TimelineComparison(expected: expected, recorded: lines)
    return comparison.difference()
  }

  /// Compares the timeline with the text of an expected one.
  ///
  /// - Parameter text: What should have happened, as ``ExpectedTimeline/init(_:)-(String)`` reads
  ///   it.
  /// - Returns: As ``difference(from:)-(ExpectedTimeline)``; for a text that cannot be read, the
  ///   reason.
  public func difference(from text: String) -> String? {
    do {
      return difference(from: try ExpectedTimeline(text))
    } catch {
      return "the expected timeline cannot be read: \(error)"
    }
  }

  /// The lines of one session: those of its scenes, and those about itself.
  ///
  /// - Parameter session: The session.
  /// - Returns: A timeline of these lines, in their order.
  public func lines(of session: SessionIdentifier) -> Timeline {
    let label = session.label
    return Timeline(
      lines: lines.filter { $0.hasPrefix("\(label).") || $0.hasPrefix("\(label)#") })
  }
}

extension Timeline: CustomStringConvertible {
  /// The lines, each with a line break at its end.
  public var description: String {
    lines.map { "\($0)\n" }.joined()
  }
}

/// Compares recorded lines with expected ones and shows the first difference.
///
/// A line is in one sequence of a group at most, so that which of them a recorded line belongs
/// to is never a matter of trying.
struct TimelineComparison {
  /// How many lines that are equal are shown before a difference, and how many after it.
  private static let contextLength = 3

  let expected: ExpectedTimeline
  let recorded: [String]
  /// How many recorded lines have been found to be expected.
  private var position = 0

  init(expected: ExpectedTimeline, recorded: [String]) {
    self.expected = expected
    self.recorded = recorded
  }

  /// Returns the first difference as a text of several lines, or nil.
  mutating func difference() -> String? {
    for (index, entry) in expected.entries.enumerated() {
      let rest: [[String]]
      switch entry {
      case .line(let line): rest = follow([[line]])
      case .unordered(let sequences): rest = follow(sequences)
      }
      guard rest.isEmpty else {
        return report(wanted: rest, next: expected.entries[(index + 1)...])
      }
    }
    return position == recorded.count ? nil : report(wanted: [], next: [])
  }

  /// Goes on as long as the next recorded line is the next one of some sequence.
  ///
  /// - Returns: What is left of the sequences; empty if nothing is.
  private mutating func follow(_ sequences: [[String]]) -> [[String]] {
    var rest = sequences.map { $0[...] }
    while let found = position < recorded.count ? recorded[position] : nil,
      let index = rest.firstIndex(where: { $0.first == found })
    {
      rest[index].removeFirst()
      position += 1
    }
    return rest.filter { !$0.isEmpty }.map(Array.init)
  }

  private func report(wanted: [[String]], next: ArraySlice<ExpectedTimeline.Entry>) -> String {
    let first = wanted.compactMap(\.first)
    let found = recorded[position...]
    var lines = ["the timelines differ at recorded line \(position + 1):"]
    lines += recorded[..<position].suffix(Self.contextLength).map { "    \($0)" }
    if first.isEmpty {
      lines.append("  - (nothing more)")
    } else {
      lines += zip(["  -"] + first.dropFirst().map { _ in "  or" }, first).map { "\($0) \($1)" }
    }
    lines +=
      found.isEmpty
      ? ["  + (nothing more)"] : found.prefix(Self.contextLength).map { "  + \($0)" }
    let missing = wanted.joined().count + next.reduce(0) { $0 + $1.lineCount }
    lines.append("expected (-) \(missing) more, recorded (+) \(found.count) more")
    return lines.joined(separator: "\n")
  }
}

extension ExpectedTimeline.Entry {
  /// How many recorded lines match the entry.
  fileprivate var lineCount: Int {
    switch self {
    case .line: 1
    case .unordered(let sequences): sequences.joined().count
    }
  }
}
