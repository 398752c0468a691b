// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumClientProtocol
import Testing

/// The bytes and the texts of the page are those of the code.
struct ProtocolExamplesTests {
  @Test(arguments: try ProtocolExample.all()) func `an example has its bytes`(
    _ example: ProtocolExample
  ) throws {
    let first = try #require(example.bytes.first)
    if first < 16 {
      let message = try #require(try ClientMessage.read(example.bytes[...]))
      #expect(message.line == example.line)
      #expect(message.bytes == example.bytes)
    } else {
      let message = try #require(try HostMessage.read(example.bytes[...]))
      #expect(message.line == example.line)
      #expect(message.bytes == example.bytes)
    }
  }

  @Test func `the page has an example of each kind`() throws {
    let kinds = Set(try ProtocolExample.all().map { $0.bytes[0] })
    #expect(kinds == Set(1...4).union(17...21))
  }

  @Test(arguments: try ProtocolExample.allAsText()) func `an example has its text`(
    _ example: ProtocolExample
  ) throws {
    if let message = try ClientMessage.read(text: example.bytes[...]) {
      #expect(message.line == example.line)
      #expect(message.text == example.bytes)
      #expect(try ClientMessage.read(message.bytes[...]) == message)
    } else {
      let message = try #require(try HostMessage.read(text: example.bytes[...]))
      #expect(message.line == example.line)
      #expect(message.text == example.bytes)
      #expect(try HostMessage.read(message.bytes[...]) == message)
    }
  }

  @Test func `the page has an example of each word`() throws {
    let words = Set(
      try ProtocolExample.allAsText().map { example in
        String(decoding: example.bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
      })
    #expect(
      words == [
        "hello", "input", "ack", "visible", "welcome", "frame", "acknowledged", "move", "end",
      ])
  }
}

/// A line of the page's examples.
struct ProtocolExample: Sendable, CustomTestStringConvertible {
  let line: String
  let bytes: [UInt8]

  var testDescription: String { line }

  static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Docs/CLIENT-PROTOCOL.md")

  static func all() throws -> [ProtocolExample] {
    try lines(of: "## Examples").map { line, digits in
      ProtocolExample(line: line, bytes: [UInt8](hexadecimal: digits))
    }
  }

  /// The examples of the form of text, with the bytes of their texts.
  static func allAsText() throws -> [ProtocolExample] {
    try lines(of: "## Examples as text").map { line, text in
      ProtocolExample(line: line, bytes: Array(text.utf8))
    }
  }

  /// The lines of the first block behind a heading: what is before and after two spaces.
  private static func lines(of heading: String) throws -> [(String, String)] {
    let text = try String(contentsOf: page, encoding: .utf8)
    let sections = text.components(separatedBy: heading + "\n")
    try #require(sections.count == 2)
    let block = sections[1].components(separatedBy: "```")[1]
    return try block.split(separator: "\n").map { line in
      let gap = try #require(line.firstRange(of: "  "))
      return (String(line[..<gap.lowerBound]), String(line[gap.upperBound...]))
    }
  }
}

extension [UInt8] {
  init(hexadecimal text: String) {
    let digits = text.filter { $0 != " " }
    self = stride(from: 0, to: digits.count - 1, by: 2).compactMap { offset in
      let start = digits.index(digits.startIndex, offsetBy: offset)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
    }
  }
}

extension ClientMessage {
  /// The message as the page writes it.
  var line: String {
    switch self {
    case .hello(let hello):
      var words = ["hello", "\(hello.client)"]
      if hello.isVisible { words.append("visible") }
      if hello.watches { words.append("watches") }
      words.append("next \(hello.nextInput)")
      if let seen = hello.lastSeen { words.append("seen \(seen.epoch)/\(seen.count)") }
      return (words + ["at \"\(hello.address)\""]).joined(separator: " ")
    case .input(let number, let content): return "input \(number) \"\(content.string)\""
    case .ack(let count): return "ack \(count)"
    case .visible(let isVisible): return isVisible ? "visible" : "hidden"
    }
  }
}

extension HostMessage {
  /// The message as the page writes it.
  var line: String {
    switch self {
    case .welcome(let welcome):
      let resets: [OutputReset?] = [nil, .new, .epoch, .overflow, .forgotten]
      let reset = resets.firstIndex(of: welcome.reset) ?? -1
      return "welcome \(welcome.epoch) last \(welcome.lastInput) reset \(reset)"
        + (welcome.watches ? " watches" : "")
    case .frame(let frame):
      return "frame \(frame.number.epoch)/\(frame.number.count) \"\(frame.content.string)\""
    case .acknowledged(let number): return "acknowledged \(number)"
    case .move(let address): return "move \"\(address)\""
    case .end(let end):
      return switch end {
      case .takenOver: "end 1"
      case .sessionEnded: "end 2"
      case .hostEnded: "end 3"
      case .wrongInput(let expected): "end 4 \(expected)"
      case .outputTooLarge: "end 5"
      case .refused: "end 6"
      case .unsupportedVersion(let version): "end 7 \(version)"
      case .unreadable: "end 8"
      case .busy: "end 9"
      }
    }
  }
}
