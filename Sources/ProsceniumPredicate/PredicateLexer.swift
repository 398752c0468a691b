// SPDX-License-Identifier: Apache-2.0

/// Cuts a format into tokens, by bytes: whatever has a meaning is ASCII.
struct PredicateLexer {
  struct Token {
    enum Kind {
      case word, number, symbol, quote, end
    }

    let kind: Kind
    /// The token in upper case; of a string only its opening quote, and nothing at the end.
    let text: String
    /// The offset of the first byte in the format.
    let position: Int
    /// The offset after the last byte.
    let end: Int
  }

  private let bytes: ContiguousArray<UInt8>

  init(_ format: String) {
    bytes = ContiguousArray(format.utf8)
  }

  // MARK: - Tokens

  /// Returns the first token from an offset on.
  ///
  /// Nothing is an error here, so that a token can be looked at before the parser knows whether it
  /// is allowed: strings are read by ``string(from:)``, and an unknown scalar is a symbol.
  func token(from offset: Int) -> Token {
    var start = offset
    while let byte = byte(at: start), Self.isSpace(byte) { start += 1 }
    guard let first = byte(at: start) else {
      return Token(kind: .end, text: "", position: start, end: start)
    }
    if Self.isWord(first) && !Self.isDigit(first) {
      return token(.word, start..<endOfOperator(start))
    }
    if Self.isDigit(first) { return token(.number, start..<endOfWord(start)) }
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
      return token(.quote, start..<start + 1)
    }
    if start + 2 <= bytes.count {
      let pair = token(.symbol, start..<start + 2)
      if Self.pairs.contains(pair.text) { return pair }
    }
    return token(.symbol, start..<endOfScalar(start))
  }

  /// The token as it is spelled in the format.
  func spelling(_ token: Token) -> String {
    String(decoding: bytes[token.position..<token.end], as: UTF8.self)
  }

  /// Tells whether a word begins right at an offset.
  func hasWord(at offset: Int) -> Bool {
    guard let byte = byte(at: offset) else { return false }
    return Self.isWord(byte) && !Self.isDigit(byte)
  }

  private static let pairs: Set<String> = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "%@", "%K",
  ]

  private func token(_ kind: Token.Kind, _ range: Range<Int>) -> Token {
    var text = String(decoding: bytes[range], as: UTF8.self)
    if kind == .word { text = text.uppercased() }
    return Token(kind: kind, text: text, position: range.lowerBound, end: range.upperBound)
  }

  private func byte(at offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  private func endOfWord(_ start: Int) -> Int {
    var end = start
    while let byte = byte(at: end), Self.isWord(byte) { end += 1 }
    return end
  }

  /// The end of a word, of which `UTI-CONFORMS-TO` and `UTI-EQUALS` alone have hyphens.
  private func endOfOperator(_ start: Int) -> Int {
    let end = endOfWord(start)
    guard end - start == 3 else { return end }
    for name in ["UTI-CONFORMS-TO", "UTI-EQUALS"] {
      let nameEnd = start + name.utf8.count
      guard nameEnd <= bytes.count, endOfWord(nameEnd) == nameEnd else { continue }
      if token(.word, start..<nameEnd).text == name { return nameEnd }
    }
    return end
  }

  private func endOfScalar(_ start: Int) -> Int {
    var end = start + 1
    while let byte = byte(at: end), byte & 0xC0 == 0x80 { end += 1 }
    return end
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || isDigit(byte)
      || byte == UInt8(ascii: "_")
  }

  // MARK: - Strings

  /// Reads the string whose opening quote is a token.
  ///
  /// - Returns: The text without quotes and escapes, and the offset after the closing quote.
  /// - Throws: `syntax` at the backslash of a bad escape, or at the opening quote if there is no
  ///   closing one.
  func string(
    from quote: Token
  ) throws(PredicateFormatError) -> (text: String, end: Int) {
    var text = ContiguousArray<UInt8>()
    var offset = quote.end
    while let byte = byte(at: offset) {
      if byte == bytes[quote.position] {
        return (String(decoding: text, as: UTF8.self), offset + 1)
      }
      if byte != UInt8(ascii: "\\") {
        text.append(byte)
        offset += 1
        continue
      }
      guard let (scalar, end) = escape(at: offset) else {
        // A sequence that the format's end cuts off is not wrong; what is missing is the quote.
        if offset + 1 == bytes.count { break }
        throw PredicateFormatError(
          .syntax,
          "After the backslash \\\\, \\', \\\", \\n, \\r, \\t, \\xHH, \\uHHHH (no surrogate) or "
            + "\\OOO (three octal digits) was expected.",
          position: offset)
      }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      offset = end
    }
    throw PredicateFormatError(
      .syntax, "The string that begins here has no closing \(quote.text).",
      position: quote.position)
  }

  /// Reads the escape sequence whose backslash is at an offset.
  private func escape(at backslash: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    let start = backslash + 1
    guard let byte = byte(at: start) else { return nil }
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""):
      return (Unicode.Scalar(byte), start + 1)
    case UInt8(ascii: "n"): return ("\n", start + 1)
    case UInt8(ascii: "r"): return ("\r", start + 1)
    case UInt8(ascii: "t"): return ("\t", start + 1)
    case UInt8(ascii: "x"), UInt8(ascii: "X"): return scalar(start + 1, digits: 2, radix: 16)
    case UInt8(ascii: "u"), UInt8(ascii: "U"): return scalar(start + 1, digits: 4, radix: 16)
    default: return scalar(start, digits: 3, radix: 8)
    }
  }

  private func scalar(
    _ start: Int, digits: Int, radix: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    var value: UInt32 = 0
    for offset in start..<start + digits {
      guard let byte = byte(at: offset),
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix
      else { return nil }
      value = value * UInt32(radix) + UInt32(digit)
    }
    return Unicode.Scalar(value).map { ($0, start + digits) }
  }
}
