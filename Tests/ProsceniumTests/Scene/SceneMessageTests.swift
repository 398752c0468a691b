// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@Suite struct SceneMessageTests {
  /// Around the size up to which bytes are in the value itself, and at the limit.
  static let sizes = [0, 1, 31, 32, 33, 64, 65_535, 65_536]

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
  }

  @Test(arguments: sizes)
  func `a message has the bytes that it was made from`(size: Int) {
    let bytes = Self.bytes(size)
    let message = SceneMessage(bytes)
    #expect(message.count == size)
    #expect(message.bytes == bytes)
  }

  @Test(arguments: sizes)
  func `the bytes are lent without a copy`(size: Int) {
    let message = SceneMessage(Self.bytes(size))
    let sum = message.withBytes { span in
      (0..<span.byteCount).reduce(0) {
        $0 + Int(unsafe span.unsafeLoad(fromByteOffset: $1, as: UInt8.self))
      }
    }
    #expect(sum == Self.bytes(size).reduce(0) { $0 + Int($1) })
  }

  @Test(arguments: sizes)
  func `messages are equal if their bytes are`(size: Int) {
    let bytes = Self.bytes(size)
    let message = SceneMessage(bytes)
    #expect(message == SceneMessage(bytes))
    #expect(message.hashValue == SceneMessage(bytes).hashValue)
    #expect(message != SceneMessage(bytes + [0]))
    guard size > 0 else { return }
    var others = bytes
    others[size - 1] ^= 1
    #expect(message != SceneMessage(others))
  }

  @Test(arguments: ["", "ping", "größer als 32 Bytes, weil der Text länger ist: 🎭"])
  func `a message carries a text`(text: String) {
    #expect(SceneMessage(text).string == text)
    #expect(SceneMessage(text).bytes == Array(text.utf8))
    #expect(SceneMessage(stringLiteral: text) == SceneMessage(text))
  }

  @Test func `bytes that are no text are repaired in the text alone`() {
    let message = SceneMessage([0x61, 0xFF, 0x62])
    #expect(message.string == "a\u{FFFD}b")
    #expect(message.bytes == [0x61, 0xFF, 0x62])
  }

  @Test func `a message is made from any collection of bytes`() {
    #expect(
      SceneMessage([1, 2, 3, 4].dropFirst().map { UInt8($0) }[...]) == SceneMessage([2, 3, 4]))
    #expect(SceneMessage(repeatElement(UInt8(9), count: 40)).bytes.count == 40)
  }

  @Test func `an error thrown while the bytes are lent comes through`() {
    struct Refusal: Error {}
    for message in [SceneMessage("short"), SceneMessage(Self.bytes(100))] {
      #expect(throws: Refusal.self) { try message.withBytes { _ in throw Refusal() } }
    }
  }
}
