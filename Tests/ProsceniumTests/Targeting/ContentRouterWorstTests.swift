// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPredicate
import ProsceniumPrimitives
import Testing

/// Conditions and identifiers that are made to be slow.
///
/// In a release build each decision has to take less than 50 ms of a processor; builds with checks
/// get as much more as they are slower.
@Suite struct ContentRouterWorstTests {
  /// In milliseconds.
  #if DEBUG
    static let limit = 3_000.0
    static let count = 1_000
  #else
    static let limit = 50.0
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

  /// A text of the letters a and b in no order, another one for each length.
  private static func letters(_ count: Int) -> String {
    var random = SplitMix64(seed: UInt64(count))
    return String((0..<count).map { _ in Bool.random(using: &random) ? "b" : "a" })
  }

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
    Input("thousands of CONTAINS of two letters in no order", letters(8_192), expected: nil) {
      // Each of the last grams is in the identifier.
      let end = letters(8_192).suffix(72)
      return try (8..<8 + count).map {
        try .contains(letters($0 / 2) + ($0 % 2 == 0 ? "a" : "b") + end)
      }
    },
    Input("a thousand parts that must not be there", longA, expected: nil) {
      try (0..<1_000).map {
        let part = String(repeating: "a", count: 4_000 - $0) + "b"
        return try .all(of: [!.contains(part), !.contains("a")])
      }
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
    let start = Self.processorTime
    choice = try router.choose(input.identifier)
    let time = Self.processorTime - start
    #expect(choice.session?.rawValue == input.expected.map { UInt32($0) })
    #expect(time < Self.limit)
    print(String(format: "routing, worst inputs: %7.3f ms: ", time) + input.testDescription)
  }

  /// What this thread has computed so far, in milliseconds: other tests run at the same time.
  private static var processorTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
