// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate

/// Writes trees as formats, in any spelling that the language allows.
struct SampleFormat {
  var random: SplitMix64
  private(set) var arguments: [any Sendable] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func format(_ tree: SampleTree) -> String {
    let text = format(chain: tree)
    return random.oneIn(4) ? "(\(space)\(text)\(space))" : space + text + space
  }

  // MARK: - Nodes

  private mutating func format(chain tree: SampleTree) -> String {
    switch tree {
    case .and(let parts): return format(parts, ["AND", "&&"])
    case .or(let parts): return format(parts, ["OR", "||"])
    default: return format(term: tree)
    }
  }

  private mutating func format(_ parts: [SampleTree], _ connectives: [String]) -> String {
    var text = ""
    for part in parts {
      let connective = keyword(random.pick(connectives))
      text += text.isEmpty ? "" : " \(connective) "
      // The one place without parentheses: a conjunction in a disjunction.
      if case .and = part, connectives[0] == "OR", random.oneIn(2) {
        text += format(chain: part)
      } else {
        text += format(term: part)
      }
    }
    return text
  }

  private mutating func format(term tree: SampleTree) -> String {
    if random.oneIn(8) { return "(\(space)\(format(chain: tree))\(space))" }
    switch tree {
    case .constant(let value): return keyword(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .comparison(let comparison): return format(comparison)
    case .not(let part):
      let negation = random.pick(["! ", "!", "NOT "])
      return keyword(negation) + format(term: part)
    case .and, .or: return "(\(format(chain: tree)))"
    }
  }

  // MARK: - Comparisons

  private mutating func format(_ comparison: Comparison) -> String {
    let spellings: [Comparison.Relation: [String]] = [
      .equal: ["=", "=="], .notEqual: ["!=", "<>"], .lessOrEqual: ["<=", "=<"],
      .greaterOrEqual: [">=", "=>"],
    ]
    let left = format(comparison.left)
    var text = keyword(
      random.pick(spellings[comparison.relation] ?? [comparison.relation.rawValue]))
    switch comparison.options {
    case []: break
    case .caseInsensitive: text += "\(space)[\(space)\(keyword("c"))\(space)]"
    case .diacriticInsensitive: text += "\(space)[\(space)\(keyword("d"))\(space)]"
    default: text += "\(space)[\(space)\(keyword("cd"))\(space)]"
    }
    let right = format(comparison.right)
    return "\(left) \(text) \(right)"
  }

  private mutating func format(_ operand: Comparison.Operand) -> String {
    if random.oneIn(10) { return "(\(space)\(format(operand)))" }
    switch operand {
    case .subject:
      guard random.oneIn(4) else { return keyword("SELF") }
      arguments.append(keyword("SELF"))
      return "%K"
    case .text(let literal):
      guard random.oneIn(4) else { return quoted(literal.string) }
      arguments.append(literal.string)
      return "%@"
    case .list(let elements):
      let texts = elements.compactMap { element -> String? in
        if case .text(let literal) = element { literal.string } else { nil }
      }
      if texts.count == elements.count, random.oneIn(4) {
        arguments.append(texts)
        return "%@"
      }
      return "{\(space)" + elements.map { format($0) }.joined(separator: space + ",") + "}"
    }
  }

  private mutating func quoted(_ text: String) -> String {
    let quote = random.pick(["'", "\""])
    var literal = quote
    for scalar in text.unicodeScalars {
      let isSpecial = scalar == "\\" || String(scalar) == quote
      if scalar.value < 0x200, random.oneIn(10) {
        let digits = String(scalar.value, radix: 8)
        literal += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      } else if scalar.value <= 0xFFFF, random.oneIn(10) {
        let digits = String(scalar.value, radix: 16, uppercase: random.oneIn(2))
        literal += random.pick(["\\u", "\\U"])
        literal += String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        literal += (isSpecial ? "\\" : "") + String(scalar)
      }
    }
    return literal + quote
  }

  // MARK: - Spelling

  private mutating func keyword(_ word: String) -> String {
    switch random.number(below: 3) {
    case 0: word.lowercased()
    case 1: word
    default: word.prefix(1).lowercased() + word.dropFirst()
    }
  }

  private var space: String {
    mutating get { random.pick(["", "", " ", "\t\n", "\r"]) }
  }
}
