// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPredicate
import Testing

/// Inputs that would be slow, or would overflow a stack, were they treated carelessly.
@Suite struct PredicateWorstCaseTests {
  static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  static let subject = repeated("a", 8_192)

  static let cases: [(name: String, format: String, arguments: [String], subject: String)] = [
    ("a quadratic LIKE of a text", "SELF LIKE %@", ["*" + repeated("a", 4_000) + "b*"], subject),
    (
      "a quadratic LIKE of wildcards", "SELF LIKE %@", ["*" + repeated("?a", 2_000) + "?b*"],
      subject
    ),
    ("many runs", "SELF LIKE %@", [repeated("a*", 2_000) + "b"], subject),
    ("many runs between wildcards", "SELF LIKE[cd] %@", [repeated("*?", 2_000) + "b"], subject),
    ("the subject as its own pattern", "SELF LIKE SELF", [], "*" + repeated("?a", 4_000) + "?b*"),
    (
      "a long part that is missing by one byte", "SELF CONTAINS %@", [repeated("a", 4_000) + "b"],
      subject
    ),
    (
      "a part that differs in its first word", "SELF CONTAINS %@", [repeated("aaaaaab", 570)],
      repeated("aaaaaaa", 1_170)
    ),
    ("parentheses", repeated("(", 2_042) + "''<''" + repeated(")", 2_042), [], subject),
    (
      "parentheses around operands", repeated("(", 2_042) + "SELF" + repeated(")", 2_042) + "=''",
      [], ""
    ),
    ("lists in lists", "SELF IN " + repeated("{", 2_040) + repeated("}", 2_040), [], ""),
    ("open parentheses", repeated("(", 4_096), [], ""),
    ("open lists", repeated("{", 4_096), [], ""),
    ("4,096 negations", repeated("!", 4_096), [], ""),
    ("negations up to the limit", repeated("!", 1_020) + "''<''", [], subject),
    ("groups in groups", repeated("(", 450) + "''<''" + repeated("||''<'')", 450), [], ""),
    (
      "63 groups in groups", repeated("!(", 63) + "SELF IN''" + repeated("&&SELF IN'')", 63), [],
      subject
    ),
    ("bad escapes", "SELF == '" + repeated("\\uD800", 600), [], ""),
    ("escapes", "SELF == '" + repeated("\\u0001", 600) + "'", [], subject),
    (
      "combining marks", "SELF LIKE[cd] %@", ["*" + repeated("e\u{301}", 1_300) + "b*"],
      repeated("e\u{301}", 2_730)
    ),
    (
      "64 folded comparisons",
      Array(repeating: "SELF CONTAINS[cd] %@", count: 64).joined(separator: " OR "),
      Array(repeating: repeated("a", 30) + "b", count: 64), subject
    ),
    (
      "64 patterns", Array(repeating: "SELF LIKE %@", count: 64).joined(separator: " OR "),
      Array(repeating: "*" + repeated("?a", 20) + "b*", count: 64), subject
    ),
    ("a long list", "SELF IN {" + repeated("'',", 1_020) + "''}", [], subject),
    ("a long word", repeated("a", 4_096), [], ""),
    ("a long operator", "SELF " + repeated("a", 4_000), [], ""),
  ]

  /// Release answers within 50 ms; without optimisation or under the sanitizer it is 60 times that.
  static var limit: Double {
    #if DEBUG
      3
    #else
      0.05
    #endif
  }

  @Test(arguments: cases.indices)
  func `the worst inputs are answered in time`(index: Int) {
    let (name, format, arguments, subject) = Self.cases[index]
    let start = Self.processorTime
    do throws(PredicateFormatError) {
      let predicate = try ContentPredicate(format: format, arguments: arguments)
      let holds = predicate.evaluate(subject)
      #expect(predicate.matchedPart(for: subject) == nil || holds)
      #expect(try ContentPredicate(format: predicate.description) == predicate)
    } catch {
      _ = error.rendered(in: format)
    }
    let seconds = Self.processorTime - start
    #expect(seconds < Self.limit, "\(name)")
  }

  /// What this thread has computed so far: other tests run at the same time.
  private static var processorTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `a small stack is enough for the deepest inputs`() {
    let finished = DispatchSemaphore(value: 0)
    let thread = Thread {
      for (_, format, arguments, subject) in Self.cases where arguments.isEmpty {
        let predicate = try? ContentPredicate(format: format, arguments: arguments)
        _ = predicate?.evaluate(subject)
        _ = predicate?.expression
        _ = predicate?.matchedPart(for: subject)
      }
      finished.signal()
    }
    thread.stackSize = 512 * 1_024
    thread.start()
    finished.wait()
  }
}
