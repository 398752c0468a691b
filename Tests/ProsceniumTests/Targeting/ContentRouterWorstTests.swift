// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// Conditions and identifiers that are made to be slow.
///
/// In a release build each decision has to be taken within 50 ms; builds with checks get as much
/// more as they are slower.
@Suite struct ContentRouterWorstTests {
  #if DEBUG
    static let limit = Duration.seconds(3)
    static let count = 1_000
  #else
    static let limit = Duration.milliseconds(50)
    static let count = 4_000
  #endif

  /// One input: what sessions prefer, and the identifier that is routed.
  struct Input: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let identifier: String
    let predicates: [ContentPredicate]
    /// The session that has to be chosen, or nil for none of them.
    let expected: Int?

    init(
      _ name: String, _ identifier: String, expected: Int?,
      _ predicates: () throws -> [ContentPredicate]
    ) {
      testDescription = name
      self.identifier = identifier
      self.expected = expected
      do {
        self.predicates = try predicates()
      } catch {
        fatalError("\(name): \(error)")
      }
    }
  }

  private static let longA = String(repeating: "a", count: 8_192)

  static let inputs = [
    Input("a LIKE of 4 KiB of stars against 8 KiB", longA, expected: nil) {
      [try .like(String(repeating: "a*", count: 2_030) + "b")]
    },
    Input("a LIKE of question marks behind a star", longA, expected: 0) {
      [try .like("*" + String(repeating: "?", count: 4_000) + "a*a")]
    },
    Input("a LIKE that nearly fits everywhere", longA, expected: nil) {
      [try .like("*" + String(repeating: "a", count: 2_000) + "?b*")]
    },
    Input("thousands of CONTAINS of one letter", longA, expected: 0) {
      try (8..<8 + count).map { try .contains(String(repeating: "a", count: $0)) }
    },
    Input("thousands of CONTAINS that nearly fit", longA, expected: nil) {
      try (8..<8 + count).map { try .contains(String(repeating: "a", count: $0) + "b") }
    },
    Input("thousands of prefixes of one letter", longA, expected: 0) {
      try (1...count).map { try .hasPrefix(String(repeating: "a", count: $0)) }
    },
    Input("thousands of suffixes of one letter", longA, expected: 0) {
      try (1...count).map { try .hasSuffix(String(repeating: "a", count: $0)) }
    },
    Input(
      "sixty-four folded comparisons of a storm of marks",
      "e" + String(repeating: "\u{301}\u{323}", count: 2_000), expected: nil
    ) {
      [
        try .any(
          of: (0..<64).map {
            let options: ContentPredicate.Options =
              $0 % 2 == 0 ? .caseInsensitive : .diacriticInsensitive
            return try .contains("x\($0)", options: options)
          })
      ]
    },
    Input("a thousand hints at one term", longA, expected: 999) {
      try (0..<1_000).map {
        let bound = "a\($0)"
        return try .all(of: [
          .hasPrefix("aaaa"), $0 == 999 ? .isGreater(than: bound) : .isLess(than: bound),
        ])
      }
    },
    Input("a thousand predicates without a text to go by", longA, expected: nil) {
      try (0..<1_000).map { try .all(of: [.isLess(than: "b"), .isGreater(than: "c\($0)")]) }
    },
  ]

  @Test(arguments: inputs) func `it is decided in time`(_ input: Input) throws {
    let router = ContentRouter { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) }
    for (number, predicate) in input.predicates.enumerated() {
      router.insert(
        SessionHandle(rawValue: UInt32(number)), role: 0,
        SessionRank(.archived, lastActivated: 0),
        SceneActivationConditions(can: .false, prefers: predicate))
    }
    var choice = try router.choose(input.identifier)
    let clock = ContinuousClock()
    let time = try clock.measure { choice = try router.choose(input.identifier) }
    #expect(choice.session?.rawValue == input.expected.map { UInt32($0) })
    #expect(time < Self.limit)
    print("routing, worst inputs: \(time): \(input.testDescription)")
  }
}
