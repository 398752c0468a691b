// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Reads the fields of one message, whatever its bytes are.
struct MessageReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// How many bytes were read.
  var offset: Int { position - bytes.startIndex }

  mutating func byte(_ expected: String) throws(ClientProtocolError) -> UInt8 {
    guard position < bytes.endIndex else {
      throw ClientProtocolError(at: offset, expected, "the end of the message")
    }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func byte(
    _ expected: String, atMost limit: UInt8
  ) throws(ClientProtocolError) -> UInt8 {
    let start = offset
    let byte = try byte(expected)
    guard byte <= limit else { throw ClientProtocolError(at: start, expected, "\(byte)") }
    return byte
  }

  /// Reads a number of seven bits to a byte, the lowest first.
  mutating func number(_ expected: String) throws(ClientProtocolError) -> UInt64 {
    let start = offset
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte(expected)
      guard shift < 63 || byte <= 1 else {
        throw ClientProtocolError(at: start, expected, "a number of more than 64 bits")
      }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        guard byte > 0 || shift == 0 else {
          throw ClientProtocolError(at: start, "\(expected), in as few bytes as it needs", "more")
        }
        return number
      }
      shift += 7
    }
  }

  /// Reads eight bytes, the most significant one first.
  mutating func word(_ expected: String) throws(ClientProtocolError) -> UInt64 {
    var word: UInt64 = 0
    for _ in 0..<8 { word = word << 8 | UInt64(try byte(expected)) }
    return word
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
    guard rest.count <= limit else {
      throw ClientProtocolError(
        at: offset, "\(expected) of at most \(limit) bytes", "\(rest.count)")
    }
    guard let text = String(validating: rest, as: UTF8.self) else {
      throw ClientProtocolError(at: offset, "\(expected) in UTF-8", "other bytes")
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
}

extension [UInt8] {
  mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  mutating func append(word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }

  mutating func append(_ content: SceneMessage) {
    append(contentsOf: content.bytes)
  }
}
