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

  static let comparisons: [(format: String, subject: String, holds: Bool)] = [
    ("SELF ENDSWITH 'b'", "ab", true), ("SELF ENDSWITH 'ab'", "b", false),
    ("SELF ENDSWITH ''", "", false), ("SELF ENDSWITH '\\u0301'", "e\u{301}", true),
    ("SELF CONTAINS 'b'", "abc", true), ("SELF CONTAINS 'bc'", "abbc", true),
    ("SELF CONTAINS ''", "a", false), ("SELF CONTAINS 'abc'", "ab", false),
    ("SELF CONTAINS '012345678x'", long, false), ("SELF CONTAINS '9012345678'", long, true),
    ("SELF IN 'abc'", "b", true), ("SELF IN 'abc'", "", false), ("SELF IN 'abc'", "ac", false),
    ("'b' IN SELF", "abc", true), ("SELF IN {'a', 'b'}", "b", true), ("SELF IN {}", "", false),
    ("SELF IN {'a', SELF}", "x", true), ("SELF IN {''}", "", true),
    ("'a' IN {'b', 'c'}", "a", false),
    ("{'a', 'b'} CONTAINS SELF", "b", true), ("{'a', SELF} CONTAINS 'b'", "b", true),
    ("{SELF} CONTAINS 'b'", "a", false), ("SELF IN[c] {'A', 'b'}", "B", true),
    ("SELF == SELF", "x", true), ("SELF BEGINSWITH SELF", "", false), ("'a' == 'a'", "", true),
    ("SELF BETWEEN {'b', 'd'}", "b", true), ("SELF BETWEEN {'b', 'd'}", "d", true),
    ("SELF BETWEEN {'b', 'd'}", "da", false), ("SELF BETWEEN {'b', 'd'}", "a", false),
    ("SELF BETWEEN {'d', 'b'}", "c", false), ("'c' BETWEEN {SELF, 'd'}", "b", true),
    ("'c' BETWEEN {'a', SELF}", "b", false), ("SELF != 'a'", "b", true),
    ("SELF != 'a'", "a", false),
    ("SELF ==[c] 'AbC'", "aBc", true), ("'AbC' CONTAINS[c] SELF", "BC", true),
    ("SELF <[c] 'B'", "a", true), ("SELF < 'B'", "a", false), ("SELF !=[c] 'A'", "a", false),
  ]

  @Test(arguments: comparisons)
  func `each operator compares as it says`(format: String, subject: String, holds: Bool) throws {
    let predicate = try ContentPredicate(format: format)
    #expect(predicate.evaluate(subject) == holds)
    #expect(try (!predicate).evaluate(subject) != holds)
  }

  /// Texts in the order of their UTF-16 code units.
  static let ordered = [
    "", "\0", "a", "a\0", "aa", "ab", "b", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}",
    "\u{10000}", "\u{10000}a", "🤡", "\u{10FFFF}", "\u{E000}", "\u{E000}a", "\u{EFFF}",
    "\u{F000}", "\u{FFFF}",
  ]

  @Test(arguments: ordered.indices, ordered.indices)
  func `order is that of UTF-16 code units`(left: Int, right: Int) throws {
    let (subject, bound) = (Self.ordered[left], Self.ordered[right])
    #expect(try ContentPredicate.isLess(than: bound).evaluate(subject) == (left < right))
    #expect(try ContentPredicate.isAtMost(bound).evaluate(subject) == (left <= right))
    #expect(try ContentPredicate.isGreater(than: bound).evaluate(subject) == (left > right))
    #expect(try ContentPredicate.isAtLeast(bound).evaluate(subject) == (left >= right))
  }
}
