// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumClientProtocol
import ProsceniumPrimitives
import Testing

/// Bytes that are no message are a typed error, wherever they are wrong.
struct MessageDamageTests {
  private static let fuzzInputs =
    ProcessInfo.processInfo.environment["PROSCENIUM_FUZZ_INPUTS"].flatMap(Int.init) ?? 20_000

  @Test func `every beginning of an example is refused, or another message`() throws {
    for example in try ProtocolExample.all() {
      for count in 0..<example.bytes.count {
        let bytes = example.bytes[..<count]
        if let message = try? ClientMessage.read(bytes) { #expect(message.bytes == Array(bytes)) }
        if let message = try? HostMessage.read(bytes) { #expect(message.bytes == Array(bytes)) }
      }
    }
  }

  @Test func `what can be read is written as it was`() throws {
    var random = SplitMix64(seed: 1)
    let examples = try ProtocolExample.all().map(\.bytes)
    var readable = 0
    for _ in 0..<Self.fuzzInputs {
      var bytes = examples[random.number(below: examples.count)]
      for _ in 0...random.number(below: 3) {
        let place = random.number(below: bytes.count)
        switch random.number(below: 4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 2 where bytes.count > 1: bytes.remove(at: place)
        default: bytes[place] ^= 1 << random.number(below: 8)
        }
      }
      if let message = try? ClientMessage.read(bytes[...]) {
        readable += 1
        #expect(message.bytes == bytes)
      }
      if let message = try? HostMessage.read(bytes[...]) {
        readable += 1
        #expect(message.bytes == bytes)
      }
    }
    #expect(readable > Self.fuzzInputs / 20)
  }

  @Test(arguments: [
    ("01 02", 1, "version 1 of the protocol", "version 2"),
    ("01 01 00112233", 2, "the identifier of a client", "the end of the message"),
    ("01 01 00112233445566778899aabbccddeeff 08 01", 18, "flags from 0 to 7", "8"),
    ("02", 1, "the number of an input", "the end of the message"),
    ("03 8100", 1, "the number of a frame, in as few bytes as it needs", "more"),
    ("03 ffffffffffffffffff02", 1, "the number of a frame", "a number of more than 64 bits"),
    ("03 07 07", 2, "the end of the message", "1 more bytes"),
    ("04 02", 1, "0 or 1", "2"),
    ("01 01 00112233445566778899aabbccddeeff 01 01 ff", 20, "an address in UTF-8", "other bytes"),
  ]) func `an error says what was expected, and where`(
    _ bytes: String, _ offset: Int, _ expected: String, _ found: String
  ) throws {
    do {
      let message = try ClientMessage.read([UInt8](hexadecimal: bytes)[...])
      Issue.record("expected an error, found \(String(describing: message))")
    } catch {
      #expect(error.offset >= offset)
      #expect(error.expected == expected)
      #expect(error.found == found)
    }
  }

  @Test func `what is too long is refused`() {
    let long = SceneMessage([UInt8](repeating: 1, count: SceneMessage.sizeLimit + 1))
    #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(ClientMessage.input(1, long).bytes[...])
    }
    let hello = ClientHello(
      client: ClientIdentifier(high: 0, low: 1),
      address: String(repeating: "a", count: ClientHello.addressLimit + 1))
    #expect(throws: ClientProtocolError.self) {
      try ClientMessage.read(ClientMessage.hello(hello).bytes[...])
    }
  }

  @Test func `an unknown kind is ignored`() throws {
    #expect(try ClientMessage.read([9, 1, 2, 3]) == nil)
    #expect(try HostMessage.read([200]) == nil)
  }

  @Test func `a stream is cut into messages, however it comes`() throws {
    var random = SplitMix64(seed: 7)
    let messages = (0..<300).map { number in
      [UInt8](repeating: UInt8(number & 255), count: random.number(below: number * 4 + 1))
    }
    let bytes = messages.flatMap { MessageStream.framed($0) }
    for _ in 0..<20 {
      var stream = MessageStream()
      var found: [[UInt8]] = []
      var start = 0
      while start < bytes.count {
        let end = min(start + 1 + random.number(below: 2_000), bytes.count)
        stream.append(bytes[start..<end])
        while let message = try stream.next() { found.append(Array(message)) }
        start = end
      }
      #expect(found == messages)
    }
  }

  @Test func `a message that is announced too long is refused before it comes`() throws {
    for announced in [MessageStream.messageLimit + 1, 1 << 20, 1 << 40] {
      var stream = MessageStream()
      var bytes: [UInt8] = []
      var rest = announced
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      stream.append(bytes + [UInt8(rest)])
      #expect(throws: ClientProtocolError.self) { try stream.next() }
    }
    var half = MessageStream()
    half.append([0xFF])
    #expect(try half.next() == nil)
    half.append([0x01, 1, 2, 3])
    #expect(try half.next() == nil)
  }
}
