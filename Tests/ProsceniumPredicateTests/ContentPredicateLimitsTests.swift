// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct ContentPredicateLimitsTests {
  /// A text whose equality has a canonical string of the given length.
  static func text(canonicalByteCount: Int) -> String {
    String(repeating: "x", count: canonicalByteCount - #"SELF == """#.utf8.count)
  }

  static func expectLimitExceeded(
    _ make: () throws(PredicateFormatError) -> ContentPredicate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(
      throws: PredicateFormatError.self, sourceLocation: sourceLocation, performing: make)
    #expect(error?.code == .limitExceeded, sourceLocation: sourceLocation)
    #expect(error?.position == nil, sourceLocation: sourceLocation)
  }

  @Test func `a canonical string of 4,096 bytes is the longest`() throws {
    let longest = try ContentPredicate.equals(Self.text(canonicalByteCount: 4_096))
    #expect(longest.description.utf8.count == 4_096)
    Self.expectLimitExceeded { () throws(PredicateFormatError) in
      try .equals(Self.text(canonicalByteCount: 4_097))
    }
    Self.expectLimitExceeded { () throws(PredicateFormatError) in
      try .hasPrefix(Self.text(canonicalByteCount: 4_096))
    }
  }

  @Test func `bytes count as UTF-8 and after escaping`() throws {
    let room = 4_096 - #"SELF == """#.utf8.count
    #expect(try ContentPredicate.equals(String(repeating: "é", count: room / 2)) != .true)
    Self.expectLimitExceeded { () throws(PredicateFormatError) in
      try .equals(String(repeating: "é", count: room / 2 + 1))
    }
    #expect(try ContentPredicate.equals(String(repeating: "\u{1}", count: room / 6)) != .true)
    Self.expectLimitExceeded { () throws(PredicateFormatError) in
      try .equals(String(repeating: "\u{1}", count: room / 6 + 1))
    }
  }

  @Test func `a disjunction has the same limit of bytes`() throws {
    let first = try ContentPredicate.equals(Self.text(canonicalByteCount: 2_000))
    let fitting = try ContentPredicate.equals(Self.text(canonicalByteCount: 2_092))
    #expect(try ContentPredicate.any(of: [first, fitting]).description.utf8.count == 4_096)
    let surplus = try ContentPredicate.equals(Self.text(canonicalByteCount: 2_093))
    Self.expectLimitExceeded { () throws(PredicateFormatError) in
      try .any(of: [first, surplus])
    }
  }

  @Test func `64 comparisons and constants are the most`() throws {
    let most = try (0..<64).map { try ContentPredicate.equals("\($0)") }
    let predicate = try ContentPredicate.any(of: most)
    #expect(predicate.evaluate("63"))
    #expect(!predicate.evaluate("64"))
    Self.expectLimitExceeded { () throws(PredicateFormatError) in
      try .any(of: most + [.equals("64")])
    }
    Self.expectLimitExceeded { () throws(PredicateFormatError) in try .any(of: most + [.false]) }
    Self.expectLimitExceeded { () throws(PredicateFormatError) in
      try .any(of: [predicate, .equals("64")])
    }
  }

  @Test func `a refusal says the limit`() {
    let error = #expect(throws: PredicateFormatError.self) {
      try ContentPredicate.equals(Self.text(canonicalByteCount: 4_097))
    }
    #expect(
      error?.description == "limitExceeded: "
        + "A predicate's canonical string must have at most 4096 UTF-8 bytes.")
  }
}
