// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumTestKit

/// Whether a log is one of those that a step allows.
@Suite(.timeLimit(.minutes(10))) struct LogMatcherTests {
  private static let group = LogEntry.unordered([["a1", "a2"], ["b1", "b2", "b3"]])

  @Test(
    arguments: [
      [], ["a1", "a2", "b1", "b2", "b3"], ["b1", "a1", "b2", "a2", "b3"],
      ["b1", "b2", "b3", "a1", "a2"],
    ])
  func `an interleaving that keeps each order matches`(middle: [String]) {
    let entries = middle.isEmpty ? [] : [Self.group]
    let log = ["first"] + middle + ["last"]
    let expected = [LogEntry.line("first")] + entries + [.line("last")]
    #expect(LogMatcher.difference(log, from: expected) == nil)
  }

  @Test(
    arguments: [
      (["x"], "log line 1: expected first, found x"),
      ([], "log line 1: expected first, found the end of the log"),
      (["first"], "log line 2: expected a1 or b1, found the end of the log"),
      (["first", "a2"], "log line 2: expected a1 or b1, found a2"),
      (["first", "a1", "a2", "b2"], "log line 4: expected b1, found b2"),
      (["first", "a1", "a1"], "log line 3: expected a2 or b1, found a1"),
      (["first", "a1", "b1", "last"], "log line 4: expected a2 or b2, found last"),
      (
        ["first", "a1", "a2", "b1", "b2", "b3", "b3"], "log line 7: expected last, found b3"
      ),
      (
        ["first", "a1", "a2", "b1", "b2", "b3", "last", "last"],
        "log line 8: expected the end of the log, found last"
      ),
    ])
  func `the first line that differs is named`(log: [String], difference: String) {
    let expected = [LogEntry.line("first"), Self.group, .line("last")]
    #expect(LogMatcher.difference(log, from: expected) == difference)
  }

  @Test func `texts are compared byte by byte`() {
    #expect(LogMatcher.difference(["e\u{301}"], from: [.line("\u{E9}")]) != nil)
    let group = LogEntry.unordered([["\u{E9}"], ["a"]])
    #expect(LogMatcher.difference(["e\u{301}", "a"], from: [group]) != nil)
  }

  @Test func `equal sequences do not multiply the ways`() {
    let sequence = (0..<12).map { "line \($0 % 3)" }
    let group = LogEntry.unordered(Array(repeating: sequence, count: 3))
    let log = (0..<12).flatMap { Array(repeating: "line \($0 % 3)", count: 3) }
    #expect(LogMatcher.difference(log, from: [group]) == nil)
  }

  @Test func `what matches in too many ways fails instead of taking for ever`() throws {
    // Each sequence is another one and all of them look the same for long.
    let sequences = (0..<40).map { Array(repeating: "x", count: 40) + ["end \($0)"] }
    let log = Array(repeating: "x", count: 1_600) + (0..<40).map { "end \($0)" }
    let difference = try #require(LogMatcher.difference(log, from: [.unordered(sequences)]))
    #expect(difference.hasSuffix("the unordered lines match in too many ways to follow"))
  }

  @Test(arguments: [UInt64](1...300))
  func `it agrees with trying all interleavings`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Few different lines, so that much is ambiguous.
    let lines = ["a", "b", "c"]
    let sequences = (0..<Int.random(in: 2...3, using: &random)).map { _ in
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        lines[Int.random(in: 0..<3, using: &random)]
      }
    }
    let all = Self.interleavings(sequences)
    var log = all[Int.random(in: 0..<all.count, using: &random)]
    #expect(LogMatcher.difference(log, from: [.unordered(sequences)]) == nil, "seed \(seed)")
    for _ in 0..<20 {
      let first = Int.random(in: 0..<log.count, using: &random)
      let second = Int.random(in: 0..<log.count, using: &random)
      log.swapAt(first, second)
      let matches = LogMatcher.difference(log, from: [.unordered(sequences)]) == nil
      #expect(matches == all.contains(log), "seed \(seed): \(log) of \(sequences)")
    }
  }

  /// All logs that a group allows, found the slow way.
  private static func interleavings(_ sequences: [[String]]) -> [[String]] {
    let rest = sequences.filter { !$0.isEmpty }
    if rest.isEmpty { return [[]] }
    var all: [[String]] = []
    for index in rest.indices {
      var left = rest
      let line = left[index].removeFirst()
      all += interleavings(left).map { [line] + $0 }
    }
    return all
  }
}
