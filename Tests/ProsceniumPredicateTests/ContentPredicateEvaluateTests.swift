// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct ContentPredicateEvaluateTests {
  static let long = String(repeating: "0123456789", count: 10)

  static let equalities: [(text: String, subject: String, holds: Bool)] = [
    ("a", "a", true), ("a", "A", false), ("a", "b", false), ("a", "ab", false), ("ab", "a", false),
    ("", "", true), ("", "a", false), ("a", "", false), ("a\0", "a", false), ("a\0", "a\0", true),
    ("\u{E9}", "\u{E9}", true), ("\u{E9}", "e\u{301}", false), ("e\u{301}", "\u{E9}", false),
    // The same number of bytes and canonically equivalent: å as the Angstrom sign.
    ("\u{212B}", "A\u{30A}", false), (long, long, true), (long, long + "x", false),
    (long + "x", long + "y", false), ("x" + long, "y" + long, false),
  ]

  @Test(arguments: equalities)
  func `equals compares byte by byte`(text: String, subject: String, holds: Bool) throws {
    #expect(try ContentPredicate.equals(text).evaluate(subject) == holds)
  }

  static let prefixes: [(text: String, subject: String, holds: Bool)] = [
    ("a/", "a/", true), ("a/", "a/b", true), ("a/", "a", false), ("a/", "b/a/", false),
    ("a/", "A/b", false), ("a/", "", false), ("", "", false), ("", "a", false),
    ("\u{E9}", "\u{E9}t", true), ("\u{E9}", "e\u{301}t", false), ("e\u{301}", "\u{E9}t", false),
    // Within a grapheme: Swift's own hasPrefix says no.
    ("e", "e\u{301}", true), ("\r", "\r\n", true), (long, long, true), (long, long + "x", true),
    (long + "x", long, false), (long + "x", long + "yz", false), ("a\0", "a\0b", true),
  ]

  @Test(arguments: prefixes)
  func `hasPrefix compares byte by byte`(text: String, subject: String, holds: Bool) throws {
    #expect(try ContentPredicate.hasPrefix(text).evaluate(subject) == holds)
  }

  @Test(arguments: [("", true), ("a", true), ("é", true)])
  func `the constants do not look at the subject`(subject: String, holds: Bool) {
    #expect(ContentPredicate.true.evaluate(subject) == holds)
    #expect(ContentPredicate.false.evaluate(subject) != holds)
  }

  @Test(arguments: [("a", true), ("b/1", true), ("c", true), ("a/1", false), ("d", false)])
  func `a disjunction holds if any part does`(subject: String, holds: Bool) throws {
    let predicate = try ContentPredicate.any(of: [.equals("a"), .hasPrefix("b/"), .equals("c")])
    #expect(predicate.evaluate(subject) == holds)
  }

  @Test func `a constant in a disjunction counts`() throws {
    #expect(try ContentPredicate.any(of: [.equals("a"), .true]).evaluate("b"))
    #expect(try !ContentPredicate.any(of: [.equals("a"), .false]).evaluate("b"))
  }
}
