// SPDX-License-Identifier: Apache-2.0

/// Writes the canonical string of an expression.
struct CanonicalWriter {
  private(set) var output = ContiguousArray<UInt8>()

  init(_ expression: PredicateExpression) {
    write(expression, isRoot: true)
  }

  private mutating func write(_ expression: PredicateExpression, isRoot: Bool = false) {
    switch expression {
    case .constant(let value): write(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .comparison(let comparison): write(comparison)
    case .and(let parts): write(parts, " AND ", isRoot)
    case .or(let parts): write(parts, " OR ", isRoot)
    case .not(let part, let times):
      for _ in 0..<times { write("NOT ") }
      write(part)
    }
  }

  private mutating func write(
    _ parts: [PredicateExpression], _ separator: String, _ isRoot: Bool
  ) {
    if !isRoot { write("(") }
    for (index, part) in parts.enumerated() {
      if index > 0 { write(separator) }
      write(part)
    }
    if !isRoot { write(")") }
  }

  private mutating func write(_ comparison: Comparison) {
    write(comparison.left)
    write(" " + comparison.relation.rawValue)
    switch comparison.options {
    case []: write(" ")
    case .caseInsensitive: write("[c] ")
    case .diacriticInsensitive: write("[d] ")
    default: write("[cd] ")
    }
    write(comparison.right)
  }

  private mutating func write(_ operand: Comparison.Operand) {
    switch operand {
    case .subject: write("SELF")
    case .text(let text):
      write("\"")
      for byte in text.bytes { writeEscaped(byte) }
      write("\"")
    case .list(let elements):
      write("{")
      for (index, element) in elements.enumerated() {
        if index > 0 { write(", ") }
        write(element)
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
