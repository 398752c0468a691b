// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Reads the fields of a message in the form of a text: words with a space after each, and a rest.
struct TextReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// How many bytes were read.
  var offset: Int { position - bytes.startIndex }

  /// Reads a word, which ends with a space or with the message.
  mutating func word() -> ArraySlice<UInt8> {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: " ")) ?? bytes.endIndex
    defer { position = min(end + 1, bytes.endIndex) }
    return bytes[position..<end]
  }

  /// Reads a number in decimal digits, without needless zeros.
  mutating func number(
    _ expected: String, in range: ClosedRange<UInt64> = 0...UInt64.max
  ) throws(ClientProtocolError) -> UInt64 {
    let start = offset
    return try Self.number(word(), at: start, expected, in: range)
  }

  /// Reads a number that takes all of some bytes.
  static func number(
    _ digits: ArraySlice<UInt8>, at offset: Int, _ expected: String,
    in range: ClosedRange<UInt64> = 0...UInt64.max
  ) throws(ClientProtocolError) -> UInt64 {
    let isPlain = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    guard isPlain, digits.count == 1 || digits.first != 0x30,
      let number = UInt64(String(decoding: digits, as: UTF8.self)), range.contains(number)
    else {
      throw ClientProtocolError(at: offset, expected, Self.quoted(digits))
    }
    return number
  }

  /// Reads the rest as a message for a scene, or of one.
  mutating func content() throws(ClientProtocolError) -> SceneMessage {
    let rest = bytes[position...]
    guard rest.count <= SceneMessage.sizeLimit else {
      throw ClientProtocolError(
        at: offset, "content of at most \(SceneMessage.sizeLimit) bytes", "\(rest.count)")
    }
    position = bytes.endIndex
    return SceneMessage(rest)
  }

  /// Reads the rest as a text.
  mutating func text(_ expected: String, limit: Int) throws(ClientProtocolError) -> String {
    let rest = bytes[position...]
    guard rest.count <= limit, let text = String(validating: rest, as: UTF8.self) else {
      throw ClientProtocolError(
        at: offset, "\(expected) of at most \(limit) bytes of UTF-8", "\(rest.count) bytes")
    }
    position = bytes.endIndex
    return text
  }

  /// Checks that nothing is left.
  func end() throws(ClientProtocolError) {
    guard position == bytes.endIndex else {
      throw ClientProtocolError(
        at: offset, "the end of the message", "\(bytes.endIndex - position) more bytes")
    }
  }

  /// Some bytes as an error shows them: the first of them.
  static func quoted(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.isEmpty
      ? "nothing" : "\"\(String(decoding: bytes.prefix(32), as: UTF8.self))\""
  }
}
