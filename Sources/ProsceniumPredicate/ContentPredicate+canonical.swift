// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate: CustomStringConvertible {
  /// The predicate's canonical string, such as `SELF == "a" OR SELF == "b"`.
  ///
  /// Equal predicates have the same canonical string and different ones have different strings. It
  /// has at most 4,096 UTF-8 bytes (R-PR-3). Texts stand in double quotes with the escapes `\\`,
  /// `\"`, `\n`, `\r` and `\t`; other characters below U+0020 and U+007F are written as `\u00xx`,
  /// all else as itself (R-PR-2).
  public var description: String {
    var result = ""
    writeCanonical(to: &result)
    return result
  }

  /// The length of the canonical string, found without building it.
  var canonicalByteCount: Int {
    var counter = ByteCounter()
    writeCanonical(to: &counter)
    return counter.byteCount
  }

  private func writeCanonical(to output: inout some TextOutputStream) {
    switch form {
    case .constant(let value): output.write(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .node(let node):
      switch node.expression {
      case .comparison(let comparison): comparison.writeCanonical(to: &output)
      case .or(let parts):
        var separator = ""
        for part in parts {
          output.write(separator)
          part.writeCanonical(to: &output)
          separator = " OR "
        }
      }
    }
  }
}

extension Comparison {
  fileprivate func writeCanonical(to output: inout some TextOutputStream) {
    left.writeCanonical(to: &output)
    output.write(" ")
    output.write(relation.rawValue)
    output.write(" ")
    right.writeCanonical(to: &output)
  }
}

extension Comparison.Operand {
  fileprivate func writeCanonical(to output: inout some TextOutputStream) {
    switch self {
    case .subject: output.write("SELF")
    case .text(let literal):
      output.write("\"")
      literal.writeEscaped(to: &output)
      output.write("\"")
    }
  }
}

extension LiteralText {
  fileprivate func writeEscaped(to output: inout some TextOutputStream) {
    if string.utf8.allSatisfy({ !Self.needsEscape($0) }) {
      output.write(string)
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\\": output.write("\\\\")
      case "\"": output.write("\\\"")
      case "\n": output.write("\\n")
      case "\r": output.write("\\r")
      case "\t": output.write("\\t")
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        output.write(scalar.value < 0x10 ? "\\u000" : "\\u00")
        output.write(String(scalar.value, radix: 16))
      default: output.write(String(scalar))
      }
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}

/// An output stream that keeps nothing but the number of bytes written.
private struct ByteCounter: TextOutputStream {
  var byteCount = 0

  mutating func write(_ string: String) {
    byteCount += string.utf8.count
  }
}
