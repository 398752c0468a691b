// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import ProsceniumPredicate
import Testing

/// Inputs of all kinds, most of them wrong: nothing traps, and a refusal has its place.
///
/// `PROSCENIUM_FUZZ_INPUTS` sets the number of inputs; in release a million take a few seconds.
@Suite struct PredicateFuzzTests {
  static let count =
    ProcessInfo.processInfo.environment["PROSCENIUM_FUZZ_INPUTS"].flatMap { Int($0) } ?? 20_000

  static let tokens = [
    "SELF", "self", "AND", "&&", "OR", "||", "NOT", "!", "TRUEPREDICATE", "FALSEPREDICATE", "(",
    ")", "(", ")", "{", "}", ",", "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>",
    "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN", "BETWEEN", "[c]", "[d]", "[ cd ]", "[", "]",
    "'a'", "\"b*?\"", "''", "'\\u00e9'", "'\\uD800'", "'\\q'", "'", "\"", "\\", "%@", "%K", "%",
    "$x", "@count", "#x", ".", "x", "f(", "MATCHES", "ANY", "UTI-EQUALS", "nil", "5", "é",
    "\u{301}",
    "\0", " ", "\n", "\u{FEFF}", "🤡",
  ]

  enum Kind: CaseIterable {
    case bytes, tokens, mutated, truncated
  }

  @Test(arguments: Kind.allCases)
  func `no input traps, and each refusal has its place`(kind: Kind) throws {
    let seed: UInt64 = 7
    var writer = SampleFormat(seed: seed)
    var acceptedCount = 0
    for number in 0..<Self.count / Kind.allCases.count {
      let input = Self.input(kind, &writer)
      let arguments: [any Sendable] = ["x", "SELF", ["y", "z"], 5, "x"]
      do throws(PredicateFormatError) {
        let predicate = try ContentPredicate(format: input, arguments: arguments)
        acceptedCount += 1
        let again = try ContentPredicate(format: predicate.description)
        guard again == predicate, again.evaluate(input) == predicate.evaluate(input) else {
          Issue.record("seed \(seed), input \(number) is not canonical: \(predicate)")
          continue
        }
      } catch {
        let isInside = error.position.map { 0...input.utf8.count ~= $0 }
        guard isInside ?? (error.code == .limitExceeded) else {
          Issue.record("seed \(seed), input \(number) \(input.debugDescription): \(error)")
          continue
        }
        if number % 16 == 0 { _ = error.rendered(in: input) }
      }
    }
    // The inputs are near enough to the language to reach what lies behind the parser.
    #expect(kind == .bytes || kind == .truncated || acceptedCount > 0)
  }

  private static func input(_ kind: Kind, _ writer: inout SampleFormat) -> String {
    switch kind {
    case .bytes:
      let bytes = (0..<writer.random.number(below: 60)).map { _ in
        UInt8(truncatingIfNeeded: writer.random.next())
      }
      return String(decoding: bytes, as: UTF8.self)
    case .tokens:
      let separator = writer.random.pick(["", " "])
      return (0..<writer.random.number(below: 14)).map { _ in writer.random.pick(tokens) }
        .joined(separator: separator)
    case .mutated, .truncated:
      var bytes = Array(valid(&writer).utf8)
      if kind == .truncated {
        bytes.removeLast(writer.random.number(below: bytes.count))
      } else {
        for _ in 0..<1 + writer.random.number(below: 3) { mutate(&bytes, &writer.random) }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func valid(_ writer: inout SampleFormat) -> String {
    let terms = 1 + writer.random.number(below: 4)
    let tree = SampleTree.random(terms: terms, &writer.random)
    return writer.format(tree)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let index = random.number(below: bytes.count + 1)
    switch random.number(below: 4) {
    case 0 where index < bytes.count: bytes[index] = UInt8(truncatingIfNeeded: random.next())
    case 1 where index < bytes.count: bytes.remove(at: index)
    case 2: bytes.insert(contentsOf: random.pick(tokens).utf8, at: index)
    default: bytes.insert(contentsOf: bytes[index...].prefix(random.number(below: 20)), at: index)
    }
  }
}
