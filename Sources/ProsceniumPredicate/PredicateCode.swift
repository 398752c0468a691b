// SPDX-License-Identifier: Apache-2.0

/// The flat form of a predicate: its tree in prefix order, without any pointer.
///
/// | node | bytes |
/// |---|---|
/// | constant | `0` or `1` |
/// | negation | `2`, the part |
/// | conjunction, disjunction | `3` or `4`, the parts' length, the parts |
/// | comparison | `0x40` + 16 · options + relation, the left operand, the right operand |
/// | `SELF` | `0` |
/// | text | `1`, its length, its bytes, the matched form if there is one |
/// | list | `2`, the elements' length, the elements |
///
/// Lengths have two bytes, the lower first. A *matched form* is a length and bytes too: the folded
/// text if the comparison has options, and for the right side of `LIKE` the resolved pattern.
/// Evaluation reads it and nothing else, printing reads the text alone.
///
/// A conjunction has two parts at least and there are at most 64 terms, so that those nodes nest at
/// most 63 deep: functions call themselves for them, and go through negations in a loop.
package enum PredicateCode {
  static let negation: UInt8 = 2
  static let conjunction: UInt8 = 3
  static let disjunction: UInt8 = 4
  /// The bytes before the parts of a conjunction, a disjunction or a list.
  static let headerByteCount = 3

  static func constant(_ value: Bool) -> UInt8 { value ? 1 : 0 }

  // MARK: - Reading

  /// Reads a length.
  static func length(_ code: Span<UInt8>, at position: Int) -> Int {
    Int(code[position]) | Int(code[position + 1]) << 8
  }

  /// The end of the node that begins at a position.
  static func end(_ code: Span<UInt8>, ofNodeAt start: Int) -> Int {
    var position = start
    while code[position] == negation { position += 1 }
    switch code[position] {
    case 0, 1: return position + 1
    case conjunction, disjunction:
      return position + headerByteCount + length(code, at: position + 1)
    default: return ComparisonCode(code, at: position).end
    }
  }
}

/// The positions of the pieces of a comparison in a flat form.
struct ComparisonCode {
  let relation: Comparison.Relation
  let options: Comparison.Options
  let left: OperandCode
  let right: OperandCode

  var end: Int { right.end }

  // Inlined, so that what a caller does not ask for is not computed.
  @inline(__always)
  init(_ code: Span<UInt8>, at position: Int) {
    let header = code[position]
    relation = Comparison.Relation(code: header & 0xF)
    options = Comparison.Options(rawValue: header >> 4)
    left = OperandCode(code, at: position + 1, isMatched: !options.isEmpty)
    right = OperandCode(code, at: left.end, isMatched: !options.isEmpty || relation == .like)
  }

  static func header(_ comparison: Comparison) -> UInt8 {
    0x40 | comparison.options.rawValue << 4 | comparison.relation.code
  }
}

/// The positions of the pieces of an operand in a flat form.
struct OperandCode {
  enum Kind: UInt8 {
    case subject, text, list
  }

  let kind: Kind
  /// The bytes of a text, or the elements of a list.
  let content: Range<Int>
  /// What is compared: the matched form of a text, or the text itself if it has none.
  let matched: Range<Int>
  let end: Int

  @inline(__always)
  init(_ code: Span<UInt8>, at position: Int, isMatched: Bool) {
    kind = Kind(rawValue: code[position]) ?? .subject
    guard kind != .subject else {
      end = position + 1
      content = end..<end
      matched = content
      return
    }
    content = Self.counted(code, at: position + 1)
    matched = kind == .text && isMatched ? Self.counted(code, at: content.upperBound) : content
    end = matched.upperBound
  }

  @inline(__always)
  private static func counted(_ code: Span<UInt8>, at position: Int) -> Range<Int> {
    let start = position + 2
    return start..<start + PredicateCode.length(code, at: position)
  }
}

extension Comparison.Relation {
  /// The relation's number in the flat form.
  var code: UInt8 {
    switch self {
    case .equal: 0
    case .notEqual: 1
    case .less: 2
    case .lessOrEqual: 3
    case .greater: 4
    case .greaterOrEqual: 5
    case .beginsWith: 6
    case .endsWith: 7
    case .contains: 8
    case .like: 9
    case .isIn: 10
    case .between: 11
    }
  }

  init(code: UInt8) {
    switch code {
    case 0: self = .equal
    case 1: self = .notEqual
    case 2: self = .less
    case 3: self = .lessOrEqual
    case 4: self = .greater
    case 5: self = .greaterOrEqual
    case 6: self = .beginsWith
    case 7: self = .endsWith
    case 8: self = .contains
    case 9: self = .like
    case 10: self = .isIn
    default: self = .between
    }
  }
}
