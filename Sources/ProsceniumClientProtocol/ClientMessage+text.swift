// SPDX-License-Identifier: Apache-2.0

import Proscenium

// The text of messages: a word for the kind, and the fields of that kind.
extension ClientMessage {
  private enum Word: String {
    case hello, input, ack, visible
  }

  /// The text of the message, in UTF-8.
  public var text: [UInt8] {
    switch self {
    case .hello(let hello): Array("\(Word.hello) \(hello.fields)".utf8)
    case .input(let number, let content): .init(text: "\(Word.input) \(number) ", content)
    case .ack(let count): Array("\(Word.ack) \(count)".utf8)
    case .visible(let isVisible): Array("\(Word.visible) \(isVisible ? 1 : 0)".utf8)
    }
  }

  /// Reads the text of a message.
  ///
  /// - Parameter text: The bytes of one message.
  /// - Returns: The message, or nil for one of an unknown kind: it is ignored.
  /// - Throws: A ``ClientProtocolError`` with the first byte that is wrong.
  public static func read(
    text: ArraySlice<UInt8>
  ) throws(ClientProtocolError) -> ClientMessage? {
    var reader = TextReader(text)
    guard let word = Word(rawValue: String(decoding: reader.word(), as: UTF8.self)) else {
      return nil
    }
    let message: ClientMessage
    switch word {
    case .hello: message = .hello(try ClientHello(&reader))
    case .input:
      message = .input(try reader.number("the number of an input"), try reader.content())
    case .ack: message = .ack(try reader.number("the number of a frame"))
    case .visible: message = .visible(try reader.number("0 or 1", in: 0...1) == 1)
    }
    try reader.end()
    return message
  }
}

extension ClientHello {
  fileprivate var fields: String {
    let flags = (isVisible ? 1 : 0) | (watches ? 2 : 0)
    let seen = lastSeen.map { "\($0.epoch)/\($0.count)" } ?? "-"
    return "\(Self.version) \(client) \(flags) \(nextInput) \(seen) \(address)"
  }

  fileprivate init(_ reader: inout TextReader) throws(ClientProtocolError) {
    let start = reader.offset
    let version = try reader.number("the version of the protocol")
    guard version == Self.version else {
      throw ClientProtocolError(
        at: start, "version \(Self.version) of the protocol", "version \(version)",
        isVersion: true)
    }
    let place = reader.offset
    let word = reader.word()
    guard let client = ClientIdentifier(String(decoding: word, as: UTF8.self)) else {
      throw ClientProtocolError(
        at: place, "the identifier of a client", TextReader.quoted(word))
    }
    self.client = client
    let flags = try reader.number("flags from 0 to 3", in: 0...3)
    isVisible = flags & 1 != 0
    watches = flags & 2 != 0
    nextInput = try reader.number("the number of an input")
    lastSeen = try FrameNumber(&reader)
    address = try reader.text("an address", limit: Self.addressLimit)
  }
}

extension FrameNumber {
  /// Reads an epoch and a count with a slash between them, or a hyphen for none.
  fileprivate init?(_ reader: inout TextReader) throws(ClientProtocolError) {
    let start = reader.offset
    let word = reader.word()
    if word.elementsEqual("-".utf8) { return nil }
    let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ClientProtocolError(
        at: start, "an epoch and a count such as 4294967297/7, or -", TextReader.quoted(word))
    }
    self.init(
      epoch: try TextReader.number(parts[0], at: start, "an epoch"),
      count: try TextReader.number(
        parts[1], at: start + parts[0].count + 1, "the number of a frame"))
  }
}

extension [UInt8] {
  /// The fields of a message, and content behind them that has to be a text: it is repaired.
  init(text fields: String, _ content: SceneMessage) {
    self = Array(fields.utf8)
    let bytes = content.bytes
    if String(validating: bytes, as: UTF8.self) == nil {
      append(contentsOf: String(decoding: bytes, as: UTF8.self).utf8)
    } else {
      append(contentsOf: bytes)
    }
  }
}
