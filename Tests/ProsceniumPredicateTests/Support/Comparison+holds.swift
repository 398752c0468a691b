// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// The comparisons a second time, slowly, by the sentences of the specification: arrays of scalars,
/// and every way to match a pattern.
extension Comparison {
  func holds(_ subject: String) -> Bool {
    switch (left, relation, right) {
    case (_, .between, .list(let bounds)):
      let units = units(left, subject)
      return !units.lexicographicallyPrecedes(self.units(bounds[0], subject))
        && !self.units(bounds[1], subject).lexicographicallyPrecedes(units)
    case (_, .isIn, .list(let elements)):
      return elements.contains { scalars($0, subject) == scalars(left, subject) }
    case (.list(let elements), .contains, _):
      return elements.contains { scalars($0, subject) == scalars(right, subject) }
    default: return holdsForTexts(subject)
    }
  }

  private func holdsForTexts(_ subject: String) -> Bool {
    let one = scalars(left, subject)
    let other = scalars(right, subject)
    switch relation {
    case .equal: return one == other
    case .notEqual: return one != other
    case .less: return units(left, subject).lexicographicallyPrecedes(units(right, subject))
    case .greater: return units(right, subject).lexicographicallyPrecedes(units(left, subject))
    case .lessOrEqual:
      return !units(right, subject).lexicographicallyPrecedes(units(left, subject))
    case .greaterOrEqual:
      return !units(left, subject).lexicographicallyPrecedes(units(right, subject))
    case .beginsWith: return !other.isEmpty && one.starts(with: other)
    case .endsWith: return !other.isEmpty && one.reversed().starts(with: other.reversed())
    case .contains: return Self.isPart(other, of: one)
    case .isIn: return Self.isPart(one, of: other)
    case .like: return Self.matches(one, other)
    case .between: return false
    }
  }

  private static func isPart(_ part: [Unicode.Scalar], of text: [Unicode.Scalar]) -> Bool {
    guard !part.isEmpty else { return false }
    return text.indices.contains { text[$0...].starts(with: part) }
  }

  /// Keeps all places in the text that the pattern can have reached.
  private static func matches(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var places: Set<Int> = [0]
    var index = 0
    while index < pattern.count {
      let scalar = pattern[index]
      index += 1
      switch scalar {
      case "*": places = Set((places.min() ?? 0)...text.count)
      case "?": places = Set(places.map { $0 + 1 }.filter { $0 <= text.count })
      default:
        var wanted = scalar
        if scalar == "\\", index < pattern.count, ["*", "?", "\\"].contains(pattern[index]) {
          wanted = pattern[index]
          index += 1
        }
        places = Set(places.filter { $0 < text.count && text[$0] == wanted }.map { $0 + 1 })
      }
      if places.isEmpty { return false }
    }
    return places.contains(text.count)
  }

  private func string(_ operand: Operand, _ subject: String) -> String {
    let string =
      switch operand {
      case .subject: subject
      case .text(let literal): literal.string
      case .list: ""
      }
    guard !options.isEmpty else { return string }
    return String(decoding: TextFolding.fold(string.utf8.span, options), as: UTF8.self)
  }

  private func scalars(_ operand: Operand, _ subject: String) -> [Unicode.Scalar] {
    Array(string(operand, subject).unicodeScalars)
  }

  private func units(_ operand: Operand, _ subject: String) -> [UInt16] {
    Array(string(operand, subject).utf16)
  }
}
