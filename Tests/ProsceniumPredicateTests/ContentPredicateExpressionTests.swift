// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct ContentPredicateExpressionTests {
  @Test func `the constants are expressions of their own`() {
    #expect(ContentPredicate.true.expression == .constant(true))
    #expect(ContentPredicate.false.expression == .constant(false))
  }

  @Test func `an expression has what the format says`() throws {
    let predicate = try ContentPredicate(
      format: "NOT (SELF LIKE[c] 'A\\\\*' OR FALSEPREDICATE) AND SELF IN {'b', SELF}")
    let like = Comparison(
      left: .subject, relation: .like, options: .caseInsensitive,
      right: .text(LiteralText(#"A\*"#)))
    let isIn = Comparison(
      left: .subject, relation: .isIn, right: .list([.text(LiteralText("b")), .subject]))
    #expect(
      predicate.expression
        == .and([.not(.or([.comparison(like), .constant(false)])), .comparison(isIn)]))
  }

  @Test(arguments: [1, 2, 3, 1_019, 1_020])
  func `negations of one part are counted`(count: Int) throws {
    let format = String(repeating: "!", count: count) + "TRUEPREDICATE"
    let expression = try ContentPredicate(format: format).expression
    #expect(expression == .not(.constant(true), times: count))
  }

  static let parts: [(format: String, subject: String, part: String?)] = [
    ("TRUEPREDICATE", "a", "TRUEPREDICATE"), ("FALSEPREDICATE", "a", nil),
    (#"SELF == "a""#, "a", #"SELF == "a""#), (#"SELF == "a""#, "b", nil),
    (#"SELF == "a" OR SELF == "b" OR SELF BEGINSWITH "b""#, "b", #"SELF == "b""#),
    (#"SELF == "a" OR TRUEPREDICATE"#, "b", "TRUEPREDICATE"),
    (#"SELF == "x" OR (SELF == "y" OR (SELF == "a" OR SELF == "b"))"#, "b", #"SELF == "b""#),
    (
      #"SELF == "x" OR (SELF == "a" AND (SELF == "y" OR SELF == "a"))"#, "a",
      #"SELF == "a" AND (SELF == "y" OR SELF == "a")"#
    ),
    (#"NOT (SELF == "x" OR SELF == "y")"#, "a", #"NOT (SELF == "x" OR SELF == "y")"#),
    (#"NOT NOT SELF == "x" OR NOT SELF ==[c] "x""#, "a", #"NOT SELF ==[c] "x""#),
    (#"SELF == "a" OR SELF == "b""#, "c", nil),
  ]

  @Test(arguments: parts)
  func `the matched part is the first branch that holds`(
    format: String, subject: String, part: String?
  ) throws {
    #expect(
      try ContentPredicate(format: format).matchedPart(for: subject)?.description == part)
  }
}
