// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct ContentPredicateTests {
  @Test func `a predicate takes one word`() {
    #expect(MemoryLayout<ContentPredicate>.size == 8)
    #expect(MemoryLayout<ContentPredicate?>.size == 8)
  }

  @Test func `a literal needs no try, any other text does`() throws {
    // A literal that took the throwing form would not compile here.
    let literal: ContentPredicate = .equals("document/1")
    let number = 1
    #expect(try ContentPredicate.equals("document/\(number)") == literal)
    let text = "document/1"
    #expect(try ContentPredicate.equals(text) == literal)

    let prefix: ContentPredicate = .hasPrefix("document/")
    let folder = "document"
    #expect(try ContentPredicate.hasPrefix("\(folder)/") == prefix)
    #expect(try ContentPredicate.hasPrefix(String(text.prefix(9))) == prefix)
    #expect(try ContentPredicate.any(of: [literal, .hasPrefix("a")]).evaluate("abc"))
  }

  @Test func `equal predicates have equal hashes, also from separate makings`() throws {
    let one = try ContentPredicate.any(of: [.equals("a"), .hasPrefix("b")])
    let other = try ContentPredicate.any(of: [.equals("a"), .hasPrefix("b")])
    #expect(one == other)
    #expect(Set([one, other, one]).count == 1)
  }

  @Test func `operator, text, order and normalisation make predicates differ`() throws {
    let distinct: [ContentPredicate] = [
      .true, .false, .equals("a"), .equals("b"), .hasPrefix("a"), .equals("\u{E9}"),
      .equals("e\u{301}"), .equals("TRUEPREDICATE"),
      try .any(of: [.equals("a"), .equals("b")]), try .any(of: [.equals("b"), .equals("a")]),
    ]
    #expect(Set(distinct).count == distinct.count)
    #expect(Set(distinct.map { Array($0.description.utf8) }).count == distinct.count)
  }

  @Test func `nothing to choose from is false, one part is that part`() throws {
    #expect(try ContentPredicate.any(of: []) == .false)
    #expect(try ContentPredicate.any(of: [.equals("a")]) == .equals("a"))
    #expect(try ContentPredicate.any(of: [.true]) == .true)
  }

  @Test func `nested disjunctions become one chain`() throws {
    let parts: [ContentPredicate] = [
      .equals("a"), .hasPrefix("b"), .equals("c"), .false, .equals("e"),
    ]
    let inner = try ContentPredicate.any(of: [parts[1], parts[2]])
    let middle = try ContentPredicate.any(of: [inner, parts[3]])
    #expect(try ContentPredicate.any(of: [parts[0], middle, parts[4]]) == .any(of: parts))
  }
}
