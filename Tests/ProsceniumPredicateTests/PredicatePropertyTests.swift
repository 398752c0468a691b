// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumPredicate

@Suite struct PredicatePropertyTests {
  static let seeds: [UInt64] = [1, 2, 3, 4]
  static let count = 800

  @Test(arguments: seeds)
  func `whatever its spelling, a tree is parsed, printed and evaluated alike`(
    seed: UInt64
  ) throws {
    var writer = SampleFormat(seed: seed)
    for number in 0..<Self.count {
      let terms = writer.random.oneIn(20) ? 30 : 1 + writer.random.number(below: 6)
      let tree = SampleTree.random(terms: terms, &writer.random)
      let subjects = (0..<6).map { _ in SampleText.text(&writer.random) }
      let context: Comment = "seed \(seed), tree \(number): \(tree.canonical)"
      guard tree.canonical.utf8.count <= 4_096 else { continue }

      let argumentCount = writer.arguments.count
      let format = writer.format(tree)
      guard format.utf8.count <= 4_096 else { continue }
      let arguments = Array(writer.arguments[argumentCount...])
      let predicate = try ContentPredicate(format: format, arguments: arguments)
      #expect(Array(predicate.description.utf8) == Array(tree.canonical.utf8), context)
      let again = try ContentPredicate(format: predicate.description)
      #expect(again == predicate, context)
      #expect(again.hashValue == predicate.hashValue, context)
      #expect(predicate.expression == tree.expression, context)
      for subject in subjects + Self.texts(in: tree).prefix(6) {
        let holds = tree.holds(subject)
        #expect(predicate.evaluate(subject) == holds, "\(context) for \(subject.debugDescription)")
        let part = predicate.matchedPart(for: subject)
        #expect((part != nil) == holds, context)
        #expect(part?.evaluate(subject) != false, context)
      }
    }
  }

  /// The texts of a tree's comparisons, which are the subjects that matter.
  private static func texts(in tree: SampleTree) -> [String] {
    switch tree {
    case .constant: []
    case .not(let part): texts(in: part)
    case .and(let parts), .or(let parts): parts.flatMap { texts(in: $0) }
    case .comparison(let comparison):
      [comparison.left, comparison.right].compactMap {
        if case .text(let literal) = $0 { literal.string } else { nil }
      }
    }
  }

  @Test(arguments: seeds)
  func `what the functions build is what its canonical string says`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for number in 0..<Self.count {
      let context: Comment = "seed \(seed), predicate \(number)"
      do throws(PredicateFormatError) {
        let predicate = try Self.build(depth: random.number(below: 4), &random)
        #expect(predicate.description.utf8.count <= 4_096, context)
        #expect(try ContentPredicate(format: predicate.description) == predicate, context)
      } catch {
        #expect(error.code == .limitExceeded, context)
      }
    }
  }

  private static func build(
    depth: Int, _ random: inout SplitMix64
  ) throws(PredicateFormatError) -> ContentPredicate {
    guard depth > 0 else { return try comparison(&random) }
    var parts: [ContentPredicate] = []
    for _ in 0..<1 + random.number(below: 6) {
      parts.append(try build(depth: random.number(below: depth), &random))
    }
    switch random.number(below: 5) {
    case 0: return try .any(of: parts)
    case 1: return try .all(of: parts)
    case 2: return try parts[0] || parts[parts.count - 1]
    case 3: return try parts[0] && parts[parts.count - 1]
    default: return try !parts[0]
    }
  }

  private static func comparison(
    _ random: inout SplitMix64
  ) throws(PredicateFormatError) -> ContentPredicate {
    let text = SampleText.text(&random)
    let options = ContentPredicate.Options(rawValue: UInt8(random.number(below: 8)))
    switch random.number(below: 14) {
    case 0: return try .equals(text, options: options)
    case 1: return try .differs(from: text, options: options)
    case 2: return try .hasPrefix(text, options: options)
    case 3: return try .hasSuffix(text, options: options)
    case 4: return try .contains(text, options: options)
    case 5: return try .isContained(in: text, options: options)
    case 6: return try .like(SampleText.pattern(&random), options: options)
    case 7: return try .isLess(than: text, options: options)
    case 8: return try .isAtMost(text, options: options)
    case 9: return try .isGreater(than: text, options: options)
    case 10: return try .isAtLeast(text, options: options)
    case 11: return try .isBetween(text, and: SampleText.text(&random))
    case 12: return try .isIn([text, SampleText.text(&random)], options: options)
    default: return random.oneIn(2) ? .true : .false
    }
  }
}
