// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate

/// A predicate's tree with all its nodes, for comparison with what the parser makes of its text.
indirect enum SampleTree {
  case constant(Bool)
  case comparison(Comparison)
  case not(SampleTree)
  case and([SampleTree])
  case or([SampleTree])

  // MARK: - Generation

  /// Makes a tree of so many terms.
  static func random(terms: Int, _ random: inout SplitMix64) -> SampleTree {
    if random.oneIn(5) { return .not(.random(terms: terms, &random)) }
    guard terms > 1 else {
      return random.oneIn(8)
        ? .constant(random.oneIn(2)) : .comparison(SampleText.comparison(&random))
    }
    var rest = terms
    var parts: [SampleTree] = []
    while rest > 0 {
      // At least two parts, none of them with all terms.
      let size = 1 + random.number(below: parts.isEmpty ? rest - 1 : rest)
      parts.append(.random(terms: size, &random))
      rest -= size
    }
    return random.oneIn(2) ? .and(parts) : .or(parts)
  }

  // MARK: - What the parser and the printer should make of it

  /// The canonical string by the sentences of the specification.
  var canonical: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.canonical
    case .not(let part): "NOT " + part.canonicalBelow
    case .and(let parts): parts.map(\.canonicalBelow).joined(separator: " AND ")
    case .or(let parts): parts.map(\.canonicalBelow).joined(separator: " OR ")
    }
  }

  private var canonicalBelow: String {
    switch self {
    case .and, .or: "(\(canonical))"
    default: canonical
    }
  }

  /// The tree with the negations of one part counted.
  var expression: PredicateExpression {
    switch self {
    case .constant(let value): .constant(value)
    case .comparison(let comparison): .comparison(comparison)
    case .not(let part):
      if case .not(let inner, let times) = part.expression {
        .not(inner, times: times + 1)
      } else {
        .not(part.expression)
      }
    case .and(let parts): .and(parts.map(\.expression))
    case .or(let parts): .or(parts.map(\.expression))
    }
  }

  /// Whether the predicate holds, with all parts evaluated.
  func holds(_ subject: String) -> Bool {
    switch self {
    case .constant(let value): value
    case .comparison(let comparison): comparison.holds(subject)
    case .not(let part): !part.holds(subject)
    case .and(let parts): parts.map { $0.holds(subject) }.allSatisfy { $0 }
    case .or(let parts): parts.map { $0.holds(subject) }.contains(true)
    }
  }
}

extension Comparison {
  var canonical: String {
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "")
    let operatorText = relation.rawValue + (letters.isEmpty ? "" : "[\(letters)]")
    return "\(left.canonical) \(operatorText) \(right.canonical)"
  }
}

extension Comparison.Operand {
  var canonical: String {
    switch self {
    case .subject: "SELF"
    case .list(let elements): "{" + elements.map(\.canonical).joined(separator: ", ") + "}"
    case .text(let literal):
      "\"" + literal.string.unicodeScalars.map(Self.escaped).joined() + "\""
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": return "\\\\"
    case "\"": return "\\\""
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\u{0}"..."\u{1F}", "\u{7F}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(scalar)
    }
  }
}
