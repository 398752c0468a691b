// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate: CustomStringConvertible {
  /// The predicate's canonical string, such as `SELF == "a" OR SELF == "b"`.
  ///
  /// Equal predicates have the same canonical string and different ones have different strings. As
  /// a format it makes the same predicate again. It has at most 4,096 UTF-8 bytes (R-PR-3). Texts
  /// are in double quotes with the escapes `\\`, `\"`, `\n`, `\r` and `\t`; other characters
  /// below U+0020 and U+007F are written as `\u00xx`, all else as itself (R-PR-2).
  public var description: String {
    switch form {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .program(let code):
      String(decoding: CanonicalWriter.canonical(code.span), as: UTF8.self)
    }
  }
}

/// Writes canonical strings.
struct CanonicalWriter {
  private var output = ContiguousArray<UInt8>()

  /// Returns the canonical string of a flat form with a number of terms within the limit.
  static func canonical(_ code: Span<UInt8>) -> ContiguousArray<UInt8> {
    var writer = CanonicalWriter()
    var position = 0
    writer.writeNode(code, &position, isRoot: true)
    return writer.output
  }

  private mutating func writeNode(_ code: Span<UInt8>, _ position: inout Int, isRoot: Bool) {
    var isRoot = isRoot
    while code[position] == PredicateCode.negation {
      write("NOT ")
      isRoot = false
      position += 1
    }
    switch code[position] {
    case 0, 1:
      write(code[position] == 0 ? "FALSEPREDICATE" : "TRUEPREDICATE")
      position += 1
    case PredicateCode.conjunction, PredicateCode.disjunction:
      if !isRoot { write("(") }
      writeParts(code, &position)
      if !isRoot { write(")") }
    default:
      write(ComparisonCode(code, at: position), code)
      position = PredicateCode.end(code, ofNodeAt: position)
    }
  }

  private mutating func writeParts(_ code: Span<UInt8>, _ position: inout Int) {
    let separator = code[position] == PredicateCode.conjunction ? " AND " : " OR "
    let start = position + PredicateCode.headerByteCount
    let end = PredicateCode.end(code, ofNodeAt: position)
    position = start
    while position < end {
      if position > start { write(separator) }
      writeNode(code, &position, isRoot: false)
    }
  }

  private mutating func write(_ comparison: ComparisonCode, _ code: Span<UInt8>) {
    let isMatched = !comparison.options.isEmpty
    write(comparison.left, code, isMatched)
    write(" ")
    write(comparison.relation.rawValue)
    switch comparison.options {
    case []: break
    case .caseInsensitive: write("[c]")
    case .diacriticInsensitive: write("[d]")
    default: write("[cd]")
    }
    write(" ")
    write(comparison.right, code, isMatched)
  }

  private mutating func write(_ operand: OperandCode, _ code: Span<UInt8>, _ isMatched: Bool) {
    switch operand.kind {
    case .subject: write("SELF")
    case .text:
      write("\"")
      for position in operand.content { writeEscaped(code[position]) }
      write("\"")
    case .list:
      write("{")
      var position = operand.content.lowerBound
      while position < operand.content.upperBound {
        if position > operand.content.lowerBound { write(", ") }
        let element = OperandCode(code, at: position, isMatched: isMatched)
        write(element, code, isMatched)
        position = element.end
      }
      write("}")
    }
  }

  private mutating func writeEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\\"): write("\\\\")
    case UInt8(ascii: "\""): write("\\\"")
    case UInt8(ascii: "\n"): write("\\n")
    case UInt8(ascii: "\r"): write("\\r")
    case UInt8(ascii: "\t"): write("\\t")
    case 0..<0x20, 0x7F:
      write(byte < 0x10 ? "\\u000" : "\\u00")
      write(String(byte, radix: 16))
    default: output.append(byte)
    }
  }

  private mutating func write(_ string: String) {
    output.append(contentsOf: string.utf8)
  }
}
