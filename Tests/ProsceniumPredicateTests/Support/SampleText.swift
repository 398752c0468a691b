// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate

/// Random comparisons, and texts that often equal or contain one another.
enum SampleText {
  /// Scalars that are special somewhere: wildcards, escapes, quotes, marks, the ends of UTF-8's and
  /// UTF-16's ranges.
  static let scalars: [Unicode.Scalar] = [
    "a", "a", "a", "b", "b", "A", "B", "/", "*", "?", "\\", "'", "\"", "\n", "\r", "\t", "\0",
    "\u{1}", "\u{7F}", "\u{80}", "\u{E9}", "e", "\u{301}", "\u{308}", "\u{7FF}", "\u{800}",
    "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "🤡", "%", "@", "$", " ",
  ]

  static func text(_ random: inout SplitMix64) -> String {
    var text = String.UnicodeScalarView()
    // A small alphabet at times, so that parts and patterns are found again.
    let alphabet = random.oneIn(2) ? Array(scalars.prefix(4)) : scalars
    for _ in 0..<random.number(below: random.oneIn(8) ? 30 : 5) {
      text.append(random.pick(alphabet))
    }
    return String(text)
  }

  static func pattern(_ random: inout SplitMix64) -> String {
    (0..<random.number(below: 6)).map { _ in
      random.oneIn(2) ? random.pick(["*", "?", "*", "\\*", "\\?", "\\\\", "\\"]) : text(&random)
    }.joined()
  }

  static func comparison(_ random: inout SplitMix64) -> Comparison {
    let relation = random.pick(Comparison.Relation.allCases)
    var options: Comparison.Options = []
    if relation != .between, random.oneIn(3) {
      options = Comparison.Options(rawValue: UInt8(1 + random.number(below: 3)))
    }
    let left: Comparison.Operand
    let right: Comparison.Operand
    switch relation {
    case .between:
      left = string(&random)
      right = .list([string(&random), string(&random)])
    case .isIn where random.oneIn(2):
      left = string(&random)
      right = list(&random)
    case .contains where random.oneIn(2):
      left = list(&random)
      right = string(&random)
    case .like where !random.oneIn(5):
      left = string(&random)
      right = .text(LiteralText(pattern(&random)))
    default:
      left = random.oneIn(5) ? string(&random) : .subject
      right = string(&random)
    }
    return Comparison(left: left, relation: relation, options: options, right: right)
  }

  private static func string(_ random: inout SplitMix64) -> Comparison.Operand {
    random.oneIn(3) ? .subject : .text(LiteralText(text(&random)))
  }

  private static func list(_ random: inout SplitMix64) -> Comparison.Operand {
    .list((0..<random.number(below: 5)).map { _ in string(&random) })
  }
}
