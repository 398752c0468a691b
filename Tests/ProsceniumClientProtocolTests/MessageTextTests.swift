// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumClientProtocol

/// A message says the same as text and as bytes.
struct MessageTextTests {
  @Test func `a message as text is the message as bytes`() throws {
    var messages = RandomMessages(seed: 1)
    for _ in 0..<20_000 {
      let client = messages.clientMessage()
      #expect(try ClientMessage.read(text: client.text[...]) == client)
      #expect(try ClientMessage.read(client.bytes[...]) == client)
      let host = messages.hostMessage()
      #expect(try HostMessage.read(text: host.text[...]) == host)
      #expect(try HostMessage.read(host.bytes[...]) == host)
      #expect(String(validating: client.text + host.text, as: UTF8.self) != nil)
    }
  }

  @Test func `a part of a larger buffer is read by its own offsets`() throws {
    let text = Array("xxack 7yy".utf8)
    #expect(try ClientMessage.read(text: text[2..<7]) == .ack(7))
    let error = #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(text: text[2..<8])
    }
    #expect(error?.offset == 4)
  }

  @Test func `content that is no text is repaired`() {
    let content = SceneMessage([0x61, 0xFF, 0x62, 0xC3])
    #expect(ClientMessage.input(1, content).text == Array("input 1 a\u{FFFD}b\u{FFFD}".utf8))
    let frame = SceneFrame(number: FrameNumber(epoch: 1, count: 2), content: content)
    #expect(HostMessage.frame(frame).text == Array("frame 1 2 a\u{FFFD}b\u{FFFD}".utf8))
  }

  @Test(arguments: [
    "", " ", "ping", "ping 1", "HELLO 1", "Ack 1", "\u{0}", "é", "ack\t1", "acks 1",
  ])
  func `an unknown kind is ignored`(_ text: String) throws {
    #expect(try ClientMessage.read(text: Array(text.utf8)[...]) == nil)
    #expect(try HostMessage.read(text: Array(text.utf8)[...]) == nil)
  }

  @Test func `a word of the other side is unknown`() throws {
    var messages = RandomMessages(seed: 2)
    for _ in 0..<100 {
      #expect(try HostMessage.read(text: messages.clientMessage().text[...]) == nil)
      #expect(try ClientMessage.read(text: messages.hostMessage().text[...]) == nil)
    }
  }

  // MARK: - Errors

  private static let client = "00112233445566778899aabbccddeeff"

  @Test(arguments: [
    ("hello", 5, "the version of the protocol", "nothing"),
    ("hello x", 6, "the version of the protocol", "\"x\""),
    ("hello 01", 6, "the version of the protocol", "\"01\""),
    ("hello 2", 6, "version 1 of the protocol", "version 2"),
    ("hello 1", 7, "the identifier of a client", "nothing"),
    ("hello 1 abc", 8, "the identifier of a client", "\"abc\""),
    ("hello 1 \(client)", 40, "flags from 0 to 3", "nothing"),
    ("hello 1 \(client) 4 1 - a", 41, "flags from 0 to 3", "\"4\""),
    ("hello 1 \(client) 1 a - a", 43, "the number of an input", "\"a\""),
    (
      "hello 1 \(client) 1 1 7 a", 45, "an epoch and a count such as 4294967297/7, or -", "\"7\""
    ),
    (
      "hello 1 \(client) 1 1", 44, "an epoch and a count such as 4294967297/7, or -", "nothing"
    ),
    (
      "hello 1 \(client) 1 1 1/2/3 a", 45, "an epoch and a count such as 4294967297/7, or -",
      "\"1/2/3\""
    ),
    ("hello 1 \(client) 1 1 /7 a", 45, "an epoch", "nothing"),
    ("hello 1 \(client) 1 1 12/ a", 48, "the number of a frame", "nothing"),
    ("hello 1 \(client) 1 1 12/x a", 48, "the number of a frame", "\"x\""),
    ("input", 5, "the number of an input", "nothing"),
    ("input  a", 6, "the number of an input", "nothing"),
    ("input -1 a", 6, "the number of an input", "\"-1\""),
    ("input +1 a", 6, "the number of an input", "\"+1\""),
    ("input 1.0 a", 6, "the number of an input", "\"1.0\""),
    ("input ١ a", 6, "the number of an input", "\"١\""),
    ("ack 18446744073709551616", 4, "the number of a frame", "\"18446744073709551616\""),
    ("ack 00", 4, "the number of a frame", "\"00\""),
    ("ack 7\n", 4, "the number of a frame", "\"7\n\""),
    ("ack 7 7", 6, "the end of the message", "1 more bytes"),
    ("ack 7  ", 6, "the end of the message", "1 more bytes"),
    ("ack 7 hello", 6, "the end of the message", "5 more bytes"),
    ("visible", 7, "0 or 1", "nothing"), ("visible 2", 8, "0 or 1", "\"2\""),
    ("visible true", 8, "0 or 1", "\"true\""),
    (
      "ack " + String(repeating: "9", count: 1_000), 4, "the number of a frame",
      "\"" + String(repeating: "9", count: 32) + "\""
    ),
  ])
  func `an error of a client's message says what was expected, and where`(
    _ text: String, _ offset: Int, _ expected: String, _ found: String
  ) {
    let error = #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(text: Array(text.utf8)[...])
    }
    #expect(error?.offset == offset)
    #expect(error?.expected == expected)
    #expect(error?.found == found)
    #expect(error?.description == "byte \(offset): expected \(expected), found \(found)")
  }

  @Test(arguments: [
    ("welcome 2 1 1 0 0", 8, "version 1 of the protocol", "\"2\""),
    ("welcome 1", 9, "an epoch", "nothing"),
    ("welcome 1 7 x 0 0", 12, "the number of an input", "\"x\""),
    ("welcome 1 7 0 5 0", 14, "a reset from 0 to 4", "\"5\""),
    ("welcome 1 7 0 0 2", 16, "0 or 1", "\"2\""),
    ("welcome 1 7 0 0 1 1", 18, "the end of the message", "1 more bytes"),
    ("frame 1", 7, "the number of a frame", "nothing"), ("frame", 5, "an epoch", "nothing"),
    ("acknowledged", 12, "the number of an input", "nothing"),
    ("end 0", 4, "a reason from 1 to 9", "\"0\""), ("end 10", 4, "a reason from 1 to 9", "\"10\""),
    ("end 4", 5, "the number of an input", "nothing"),
    ("end 7 256", 6, "a version", "\"256\""),
    ("end 1 7", 6, "the end of the message", "1 more bytes"),
    (
      "move " + String(repeating: "é", count: 513), 5,
      "an address of at most 1024 bytes of UTF-8", "1026 bytes"
    ),
  ])
  func `an error of a host's message says what was expected, and where`(
    _ text: String, _ offset: Int, _ expected: String, _ found: String
  ) {
    let error = #expect(throws: ClientProtocolError.self) {
      try HostMessage.read(text: Array(text.utf8)[...])
    }
    #expect(error?.offset == offset)
    #expect(error?.expected == expected)
    #expect(error?.found == found)
  }

  @Test(arguments: ["0", "2", "255", "256", "18446744073709551615"])
  func `a hello of another version is told from what cannot be read`(_ version: String) {
    let error = #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(text: Array("hello \(version) what may come".utf8)[...])
    }
    #expect(error?.isVersion == true)
  }

  @Test(arguments: ["hello", "hello x", "hello 01", "hello 1 x", "hello 1", "ack x"])
  func `what cannot be read is not of another version`(_ text: String) {
    let error = #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(text: Array(text.utf8)[...])
    }
    #expect(error?.isVersion == false)
  }

  @Test func `what is too long is refused, and what is just not is read`() throws {
    let largest = SceneMessage([UInt8](repeating: 0x61, count: SceneMessage.sizeLimit))
    let input = ClientMessage.input(.max, largest)
    #expect(try ClientMessage.read(text: input.text[...]) == input)
    #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(text: (input.text + [0x61])[...])
    }
    let hello = ClientHello(
      client: ClientIdentifier(high: 0, low: 1),
      address: String(repeating: "a", count: ClientHello.addressLimit))
    #expect(try ClientMessage.read(text: ClientMessage.hello(hello).text[...]) == .hello(hello))
    #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(text: (ClientMessage.hello(hello).text + [0x61])[...])
    }
  }

  // MARK: - Damage

  private static let fuzzInputs =
    ProcessInfo.processInfo.environment["PROSCENIUM_FUZZ_INPUTS"].flatMap(Int.init) ?? 100_000

  @Test func `a damaged text is an error, or another message`() {
    var messages = RandomMessages(seed: 3)
    var random = SplitMix64(seed: 4)
    let marks = Array(" -/0123456789ax\u{FFFD}".utf8)
    var (readable, refused) = (0, 0)
    for _ in 0..<Self.fuzzInputs {
      let isHost = random.happens(perThousand: 500)
      var text = isHost ? messages.hostMessage().text : messages.clientMessage().text
      for _ in 0...random.number(below: 3) where !text.isEmpty {
        let place = random.number(below: min(text.count, 64))
        switch random.number(below: 5) {
        case 0: text[place] = marks[random.number(below: marks.count)]
        case 1: text.insert(marks[random.number(below: marks.count)], at: place)
        case 2: text.remove(at: place)
        case 3: text.removeLast(text.count - place)
        default: text[place] ^= 1 << random.number(below: 8)
        }
      }
      do throws(ClientProtocolError) {
        if isHost {
          guard let message = try HostMessage.read(text: text[...]) else { continue }
          #expect(Self.isSame(text, message.text))
        } else {
          guard let message = try ClientMessage.read(text: text[...]) else { continue }
          #expect(Self.isSame(text, message.text))
        }
        readable += 1
      } catch {
        refused += 1
        #expect((0...text.count).contains(error.offset))
      }
    }
    #expect(readable > Self.fuzzInputs / 20)
    #expect(refused > Self.fuzzInputs / 20)
  }

  /// Whether a message is written as it was read, but for what a reader accepts: a space after the
  /// last field, none before empty content, capital digits of a client, and content that is not
  /// UTF-8.
  private static func isSame(_ text: [UInt8], _ written: [UInt8]) -> Bool {
    func plain(_ text: [UInt8]) -> Substring {
      let words = String(decoding: text, as: UTF8.self)
      return words.last == " " ? words.dropLast() : words[...]
    }
    let (found, expected) = (plain(text), plain(written))
    return found == expected
      || found.hasPrefix("hello") && found.lowercased() == expected.lowercased()
  }
}
