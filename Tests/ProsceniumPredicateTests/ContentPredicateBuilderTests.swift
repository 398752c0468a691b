// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct ContentPredicateBuilderTests {
  static let literals: [(predicate: ContentPredicate, canonical: String)] = [
    (.equals("x"), #"SELF == "x""#), (.equals("x", options: .caseInsensitive), #"SELF ==[c] "x""#),
    (.differs(from: "x"), #"SELF != "x""#), (.hasPrefix("x"), #"SELF BEGINSWITH "x""#),
    (.hasSuffix("x", options: .diacriticInsensitive), #"SELF ENDSWITH[d] "x""#),
    (
      .contains("x", options: [.caseInsensitive, .diacriticInsensitive]), #"SELF CONTAINS[cd] "x""#
    ),
    (.isContained(in: "x"), #"SELF IN "x""#), (.like("x*"), #"SELF LIKE "x*""#),
    (.isLess(than: "x"), #"SELF < "x""#), (.isAtMost("x"), #"SELF <= "x""#),
    (.isGreater(than: "x"), #"SELF > "x""#), (.isAtLeast("x"), #"SELF >= "x""#),
    (.isBetween("x", and: "y"), #"SELF BETWEEN {"x", "y"}"#),
    (.isIn(["x", "y"]), #"SELF IN {"x", "y"}"#), (.isIn([]), "SELF IN {}"),
    (.isIn(["x"], options: .caseInsensitive), #"SELF IN[c] {"x"}"#),
  ]

  @Test(arguments: literals)
  func `a function makes the predicate of its canonical string`(
    predicate: ContentPredicate, canonical: String
  ) throws {
    #expect(predicate.description == canonical)
    #expect(try ContentPredicate(format: canonical) == predicate)
  }

  @Test func `texts of run time make the predicates of literals`() throws {
    let text = String("xyz".prefix(1))
    let made: [ContentPredicate] = [
      try .equals(text), try .equals(text, options: .caseInsensitive), try .differs(from: text),
      try .hasPrefix(text), try .hasSuffix(text, options: .diacriticInsensitive),
      try .contains(text, options: [.caseInsensitive, .diacriticInsensitive]),
      try .isContained(in: text), try .like(text + "*"), try .isLess(than: text),
      try .isAtMost(text), try .isGreater(than: text), try .isAtLeast(text),
      try .isBetween(text, and: "y\(1)".replacing("1", with: "")), try .isIn([text, "y"]),
      try .isIn([String]()), try .isIn([text], options: .caseInsensitive),
    ]
    #expect(made == Self.literals.map(\.predicate))
  }

  @Test func `bits that are no option's are dropped`() {
    let options = ContentPredicate.Options(rawValue: 0xFD)
    #expect(options == .caseInsensitive)
    #expect(ContentPredicate.equals("x", options: options).description == #"SELF ==[c] "x""#)
  }

  @Test func `connectives make one chain of their own kind`() throws {
    let (a, b, c): (ContentPredicate, ContentPredicate, ContentPredicate)
    (a, b, c) = (.equals("a"), .equals("b"), .true)
    let ab = #"SELF == "a" OR SELF == "b""#
    #expect(try (a || b).description == ab)
    #expect(try (a || b || c).description == ab + " OR TRUEPREDICATE")
    #expect(try (a || (b || c)) == (a || b || c))
    #expect(try (a && b && c) == .all(of: [a, b, c]))
    #expect(try (a || b && c).description == #"SELF == "a" OR (SELF == "b" AND TRUEPREDICATE)"#)
    #expect(try ((a || b) && c).description == "(\(ab)) AND TRUEPREDICATE")
    #expect(try (!(a || b) || c).description == "NOT (\(ab)) OR TRUEPREDICATE")
    #expect(try (!(!a)).description == #"NOT NOT SELF == "a""#)
    #expect(try (!ContentPredicate.true).description == "NOT TRUEPREDICATE")
    #expect(try !(!a).evaluate("b") == false)
  }

  @Test func `all of nothing holds, all of one is that one`() throws {
    #expect(try ContentPredicate.all(of: []) == .true)
    #expect(try ContentPredicate.all(of: [.equals("a")]) == .equals("a"))
    let both = try ContentPredicate.all(of: [.hasPrefix("a"), .hasSuffix("b")])
    #expect(both.evaluate("ab"))
    #expect(!both.evaluate("a"))
    #expect(!both.evaluate("b"))
  }

  @Test func `a function refuses what its canonical string could not hold`() throws {
    func isRefused(
      _ make: () throws(PredicateFormatError) -> ContentPredicate
    ) -> Bool {
      do throws(PredicateFormatError) {
        _ = try make()
        return false
      } catch {
        return error.code == .limitExceeded && error.position == nil
      }
    }
    let long = String(repeating: "x", count: 4_090)
    let many = Array(repeating: "x", count: 1_000)
    #expect(isRefused { () throws(PredicateFormatError) in try .like(long) })
    #expect(isRefused { () throws(PredicateFormatError) in try .isBetween(long, and: "x") })
    #expect(isRefused { () throws(PredicateFormatError) in try .isIn(many) })
    #expect(isRefused { () throws(PredicateFormatError) in try .isIn([long, long + long]) })
    let most = try ContentPredicate.equals(String(repeating: "x", count: 4_086))
    #expect(isRefused { () throws(PredicateFormatError) in try !most })
    #expect(isRefused { () throws(PredicateFormatError) in try most && .true })
    // So long that the length of the whole would be zero in the flat form.
    var parts = Array(repeating: most, count: 16)
    parts.append(try .equals(String(repeating: "x", count: 75)))
    #expect(isRefused { () throws(PredicateFormatError) in try .any(of: parts) })
    let full = try ContentPredicate.any(of: Array(repeating: .true, count: 64))
    #expect(isRefused { () throws(PredicateFormatError) in try full || .true })
    #expect(isRefused { () throws(PredicateFormatError) in try full && .true })
  }
}
