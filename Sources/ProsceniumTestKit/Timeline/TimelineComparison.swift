// SPDX-License-Identifier: Apache-2.0

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
