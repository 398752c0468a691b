// SPDX-License-Identifier: Apache-2.0

/// Reads a JSON text (RFC 8259).
///
/// Unlike decoders that build the program's own types it refuses a key that is there twice, keeps
/// texts scalar by scalar, tells integers from other numbers, and says where the text breaks off.
package struct JSONParser {
  /// How deep lists and objects may be nested.
  package static let depthLimit = 64

  private let bytes: [UInt8]
  private let file: String
  private var position = 0

  private init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - bytes: The file's content in UTF-8; a byte order mark is ignored.
  ///   - file: The file's name, for messages.
  /// - Returns: The value, which knows its place.
  /// - Throws: `FileError` with the code `notJSON`, or `duplicate` for a key.
  package static func parse(_ bytes: [UInt8], file: String) throws(FileError) -> JSONNode {
    var parser = JSONParser(bytes, file: file)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    parser.skipSpace()
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.failure("the end of the file") }
    return JSONNode(value, path: .root, file: file)
  }

  // MARK: - Values

  private mutating func value(depth: Int) throws(FileError) -> JSONValue {
    guard depth <= Self.depthLimit else {
      throw failure("at most \(Self.depthLimit) lists and objects within one another")
    }
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try list(depth: depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default:
      if skip("null") { return .null }
      if skip("true") { return .bool(true) }
      if skip("false") { return .bool(false) }
      throw failure("a JSON value")
    }
  }

  private mutating func list(depth: Int) throws(FileError) -> JSONValue {
    var values: [JSONValue] = []
    position += 1
    skipSpace()
    if skip("]") { return .list([]) }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpace()
      if skip("]") { return .list(values) }
      guard skip(",") else { throw failure("',' or ']'") }
      skipSpace()
    }
  }

  private mutating func object(depth: Int) throws(FileError) -> JSONValue {
    var members: [JSONMember] = []
    var keys: Set<String> = []
    position += 1
    skipSpace()
    if skip("}") { return .object([]) }
    while true {
      guard current == UInt8(ascii: "\"") else { throw failure("a key in double quotes") }
      let start = position
      let key = try text()
      guard keys.insert(key).inserted else {
        throw failure(
          .duplicate, at: start, "each key once in an object",
          found: "\(JSONValue.excerpt(key)) again")
      }
      skipSpace()
      guard skip(":") else { throw failure("':'") }
      skipSpace()
      members.append(JSONMember(key, try value(depth: depth + 1)))
      skipSpace()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw failure("',' or '}'") }
      skipSpace()
    }
  }

  private mutating func number() throws(FileError) -> JSONValue {
    let start = position
    var isInteger = true
    _ = skip("-")
    if !skip("0") { try digits() }
    if skip(".") {
      isInteger = false
      try digits()
    }
    if skip("e") || skip("E") {
      isInteger = false
      if !skip("+") { _ = skip("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw failure(.notJSON, at: start, "a number that fits 64 bits", found: text)
    }
    return .real(value)
  }

  private mutating func digits() throws(FileError) {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    guard position > start else { throw failure("a digit") }
  }

  // MARK: - Texts

  private mutating func text() throws(FileError) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    var runStart = position
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        content += bytes[runStart..<position]
        position += 1
        guard let text = String(validating: content, as: UTF8.self) else {
          throw failure(.notJSON, at: start, "UTF-8", found: "a text in another encoding")
        }
        return text
      case UInt8(ascii: "\\"):
        content += bytes[runStart..<position]
        content += try escape()
        runStart = position
      case 0..<0x20: throw failure("an escape, such as \\n, for a control character")
      default: position += 1
      }
    }
    throw failure(.notJSON, at: start, "a closing double quote", found: "the end of the file")
  }

  private mutating func escape() throws(FileError) -> [UInt8] {
    let start = position
    position += 1
    let escapes: [(String, UInt8)] = [
      ("\"", 0x22), ("\\", 0x5C), ("/", 0x2F), ("n", 0x0A), ("r", 0x0D), ("t", 0x09), ("b", 0x08),
      ("f", 0x0C),
    ]
    for (letter, byte) in escapes where skip(letter) { return [byte] }
    guard skip("u") else {
      throw failure("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
    var value = try codeUnit()
    if (0xD800..<0xDC00).contains(value), skip("\\u") {
      let low = try codeUnit()
      // A wrong second half leaves the first one, which alone is no scalar.
      if (0xDC00..<0xE000).contains(low) {
        value = 0x10000 + ((value - 0xD800) << 10 | (low - 0xDC00))
      }
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw failure(.notJSON, at: start, "both halves of a surrogate pair", found: "one of them")
    }
    return Array(String(scalar).utf8)
  }

  private mutating func codeUnit() throws(FileError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  // MARK: - Bytes

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  // MARK: - Errors

  private func failure(_ expected: String) -> FileError {
    let rest = bytes[position...].prefix { $0 != 0x0A }.prefix(24)
    let excerpt = JSONValue.excerpt(String(String(decoding: rest, as: UTF8.self).prefix(12)))
    let found =
      position == bytes.count ? "the end of the file" : rest.isEmpty ? "a line end" : excerpt
    return failure(.notJSON, at: position, expected, found: found)
  }

  private func failure(
    _ code: FileError.Code, at offset: Int, _ expected: String, found: String
  ) -> FileError {
    let before = bytes[..<offset]
    let line = before.count { $0 == 0x0A } + 1
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
    return FileError(
      code, file: file, place: "line \(line), column \(column)",
      "expected \(expected), found \(found).")
  }
}
