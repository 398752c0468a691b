// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import ProsceniumPredicate

/// Random predicates and identifiers over few letters, so that they often have to do with one
/// another.
struct RandomConditions {
  var random: SplitMix64

  private static let letters = ["a", "b", "/", "A", "é", "e\u{301}", "ß", "ss", ".", "7"]
  private static let options = ["", "", "", "[c]", "[d]", "[cd]"]

  /// Predicates that share terms with one another, which several sessions have in different ways.
  private static let neighbours = [
    "SELF == 'a'", "SELF == 'b'", "SELF IN {'a', 'b'}", "SELF IN {'b', 'ab'}",
    "SELF == 'b' OR SELF BEGINSWITH 'a'", "SELF BEGINSWITH 'a'",
    "SELF BEGINSWITH 'a' AND SELF != 'ab'", "SELF == 'a' OR (SELF BEGINSWITH 'a' AND SELF != 'b')",
  ]

  mutating func text(_ lengths: ClosedRange<Int>) -> String {
    (0..<Int.random(in: lengths, using: &random)).map { _ in
      Self.letters.randomElement(using: &random) ?? ""
    }.joined()
  }

  /// An identifier, now and then longer than a gram.
  mutating func identifier() -> String {
    if Int.random(in: 0..<4, using: &random) == 0 {
      return ["a", "b", "ab"].randomElement(using: &random) ?? ""
    }
    return text(Int.random(in: 0..<8, using: &random) == 0 ? 8...24 : 0...6)
  }

  mutating func conditions() -> SceneActivationConditions {
    var conditions = SceneActivationConditions()
    if Bool.random(using: &random) { conditions.can = predicate() }
    if Bool.random(using: &random) { conditions.prefers = predicate() }
    return conditions
  }

  mutating func predicate() -> ContentPredicate {
    let neighbour = Self.neighbours.randomElement(using: &random) ?? ""
    let format = Int.random(in: 0..<4, using: &random) == 0 ? neighbour : format(depth: 2)
    do {
      return try ContentPredicate(format: format)
    } catch {
      fatalError("\(format): \(error)")
    }
  }

  private mutating func format(depth: Int) -> String {
    switch Int.random(in: 0..<(depth == 0 ? 10 : 14), using: &random) {
    case 0: return Bool.random(using: &random) ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case 10: return "(\(format(depth: depth - 1)) OR \(format(depth: depth - 1)))"
    case 11: return "(\(format(depth: depth - 1)) AND \(format(depth: depth - 1)))"
    case 12: return "NOT (\(format(depth: depth - 1)))"
    case 13:
      return "(\(format(depth: 0)) OR \(format(depth: 0)) OR \(format(depth: depth - 1)))"
    default: return comparison()
    }
  }

  private mutating func comparison() -> String {
    let option = Self.options.randomElement(using: &random) ?? ""
    let text = "'\(self.text(0...4))'"
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return "SELF ==\(option) \(text)"
    case 2: return "\(text) ==\(option) SELF"
    case 3: return "SELF !=\(option) \(text)"
    case 4, 5: return "SELF BEGINSWITH\(option) \(text)"
    case 6: return "SELF ENDSWITH\(option) \(text)"
    case 7: return "SELF CONTAINS\(option) '\(self.text(0...10))'"
    case 8: return "SELF IN\(option) {\(text), '\(self.text(0...3))'}"
    case 9: return "\(text) IN\(option) SELF"
    case 10: return "SELF BETWEEN {\(text), 'b'}"
    case 11: return "SELF IN\(option) \(text)"
    default: return "SELF LIKE\(option) '\(pattern())'"
    }
  }

  private mutating func pattern() -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: "*"
      case 2: "?"
      default: text(1...2)
      }
    }.joined()
  }
}
