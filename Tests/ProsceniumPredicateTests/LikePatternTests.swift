// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct LikePatternTests {
  typealias Part = LikePattern.Part

  static func text(_ string: String) -> Part {
    .text(ContiguousArray(string.utf8))
  }

  static let patterns: [(pattern: String, parts: [Part])] = [
    ("", []), ("ab", [text("ab")]), ("*", [.anyRun]), ("***", [.anyRun]), ("?", [.anyOne]),
    ("a*b?c", [text("a"), .anyRun, text("b"), .anyOne, text("c")]),
    ("*?*", [.anyRun, .anyOne, .anyRun]),
    (#"a\*b"#, [text("a*b")]), (#"\?\\\*"#, [text(#"?\*"#)]), (#"\a\"#, [text(#"\a\"#)]),
    (#"\\*"#, [text(#"\"#), .anyRun]), (#"*\**"#, [.anyRun, text("*"), .anyRun]),
    ("é?é", [text("é"), .anyOne, text("é")]),
  ]

  @Test(arguments: patterns)
  func `a pattern falls into texts and wildcards`(pattern: String, parts: [Part]) {
    #expect(LikePattern(pattern.utf8.span).parts == parts)
  }

  static let long = String(repeating: "0123456789", count: 3)

  static let matches: [(pattern: String, subject: String, holds: Bool)] = [
    ("", "", true), ("", "a", false), ("*", "", true), ("?", "", false), ("??", "🤡é", true),
    ("a*", "a", true), ("*a", "ba", true), ("*a", "ab", false),
    ("a*a", "a", false), ("a*a", "aa", true), ("*ab*ab", "abab", true), ("*ab*ab", "ab", false),
    ("*ab?", "abab", false), ("*ab?", "ababc", true), ("?*?", "a", false), ("?*?", "ab", true),
    ("*é", "aé", true), ("*\u{A9}", "é", false), ("*?\u{E9}", "é", false), ("*?\u{E9}", "🤡é", true),
    ("a\n*", "a\n\n", true), (#"\*"#, "*", true), (#"\*"#, "a", false), (#"\"#, #"\"#, true),
    (#"\\"#, #"\"#, true),
    (long, long, true), (long + "?", long + "é", true), (long + "?", long, false),
    ("?" + long, "x" + long, true),
    ("0123?5678?0123?56?890*", long, true), ("0123?5678?0123?56?89*0?", long, false),
    ("0123?5678?0123?5678?*", long, true),
    ("????????????????", "01234567890123é5", true), ("???????????????", "01234567890123é5", false),
    ("??????????", "0é23456789", true), ("?????????", "0é23456789", false),
    ("*?1?3?5?7?9?x", long + "0123456789x", false),
    ("*?1?3?5?7?9x", long + "x", true), ("*0*1*2*3*9", long, true), ("*0*1*2*3*8?", long, true),
    ("*0*1*2*3*8??", long, false),
  ]

  @Test(arguments: matches)
  func `the whole subject must match`(pattern: String, subject: String, holds: Bool) throws {
    #expect(try ContentPredicate.like(pattern).evaluate(subject) == holds)
    #expect(try ContentPredicate(format: "%@ LIKE SELF", subject).evaluate(pattern) == holds)
    #expect(try ContentPredicate(format: "%@ LIKE[c] SELF", subject).evaluate(pattern) == holds)
    #expect(
      try ContentPredicate.like(pattern, options: .caseInsensitive).evaluate(subject) == holds)
  }

  @Test func `a letter and its mark are two scalars, unless they are folded into one`() {
    #expect(!ContentPredicate.like("?").evaluate("e\u{301}"))
    #expect(ContentPredicate.like("?", options: .caseInsensitive).evaluate("e\u{301}"))
  }
}
