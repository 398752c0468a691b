// SPDX-License-Identifier: Apache-2.0

/// Blanks what is not code in a Swift text, so that a rule about calls does not read prose.
///
/// Comments, the contents of string literals and of names in backticks become spaces; what stands
/// in an interpolation is code and stays. Lines keep their numbers and their lengths in bytes.
/// Regular expression literals are read as code.
struct CodeMask {
  private enum Mode {
    case code(parentheses: Int)
    case string(hashes: Int, isMultiline: Bool)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var output: [UInt8] = []
  private var modes: [Mode] = [.code(parentheses: 0)]

  static func mask(_ text: String) -> String {
    var mask = Self(bytes: Array(text.utf8))
    return mask.run()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    output.reserveCapacity(bytes.count)
  }

  private mutating func run() -> String {
    while index < bytes.count {
      switch modes[modes.count - 1] {
      case .code(let parentheses): readCode(parentheses: parentheses)
      case .string(let hashes, let isMultiline):
        readString(hashes: hashes, isMultiline: isMultiline)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func starts(with text: String, at offset: Int = 0) -> Bool {
    bytes[min(index + offset, bytes.count)...].starts(with: text.utf8)
  }

  private func hashes(at start: Int) -> Int {
    bytes[min(start, bytes.count)...].prefix { $0 == UInt8(ascii: "#") }.count
  }

  private mutating func keep(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      output.append(bytes[index])
      index += 1
    }
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      output.append(bytes[index] == UInt8(ascii: "\n") ? bytes[index] : UInt8(ascii: " "))
      index += 1
    }
  }

  private mutating func readCode(parentheses: Int) {
    guard "/`#\"()".utf8.contains(bytes[index]) else { return keep() }
    if starts(with: "//") { return skipLine() }
    if starts(with: "/*") { return skipBlockComment() }
    if starts(with: "`") { return skipQuotedName() }
    let hashes = hashes(at: index)
    if starts(with: "\"", at: hashes) {
      let isMultiline = starts(with: "\"\"\"", at: hashes)
      keep(hashes + (isMultiline ? 3 : 1))
      return modes.append(.string(hashes: hashes, isMultiline: isMultiline))
    }
    if hashes > 0 { return keep(hashes) }
    switch bytes[index] {
    case UInt8(ascii: "("):
      modes[modes.count - 1] = .code(parentheses: parentheses + 1)
    case UInt8(ascii: ")"):
      if parentheses == 0, modes.count > 1 {
        modes.removeLast()
      } else {
        modes[modes.count - 1] = .code(parentheses: max(0, parentheses - 1))
      }
    default: break
    }
    keep()
  }

  private mutating func readString(hashes: Int, isMultiline: Bool) {
    let byte = bytes[index]
    guard "\\\"\n".utf8.contains(byte) else { return blank() }
    if byte == UInt8(ascii: "\\"), self.hashes(at: index + 1) >= hashes {
      let escaped = index + 1 + hashes
      let isInterpolation = escaped < bytes.count && bytes[escaped] == UInt8(ascii: "(")
      blank(1 + hashes)
      if isInterpolation { modes.append(.code(parentheses: 0)) }
      return isInterpolation ? keep() : blank()
    }
    let closes = isMultiline ? starts(with: "\"\"\"") : byte == UInt8(ascii: "\"")
    let quotes = isMultiline ? 3 : 1
    if closes, self.hashes(at: index + quotes) >= hashes {
      modes.removeLast()
      return keep(quotes + hashes)
    }
    if byte == UInt8(ascii: "\n"), !isMultiline { modes.removeLast() }
    blank()
  }

  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { blank() }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        blank(2)
      } else if starts(with: "*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && index < bytes.count
  }

  private mutating func skipQuotedName() {
    keep()
    while index < bytes.count, !starts(with: "`"), !starts(with: "\n") { blank() }
    keep()
  }
}
