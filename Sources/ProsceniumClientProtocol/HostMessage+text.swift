// SPDX-License-Identifier: Apache-2.0

import Proscenium

// The text of messages: a word for the kind, and the fields of that kind.
extension HostMessage {
  private enum Word: String {
    case welcome, frame, acknowledged, move, end
  }

  /// The text of the message, in UTF-8; content that is none is repaired.
  public var text: [UInt8] {
    switch self {
    case .welcome(let welcome): Array("\(Word.welcome) \(welcome.fields)".utf8)
    case .frame(let frame):
      .init(
        text: "\(Word.frame) \(frame.number.epoch) \(frame.number.count) ", frame.content)
    case .acknowledged(let number): Array("\(Word.acknowledged) \(number)".utf8)
    case .move(let address): Array("\(Word.move) \(address)".utf8)
    case .end(let end): Array("\(Word.end) \(end.fields)".utf8)
    }
  }

  /// Reads the text of a message.
  ///
  /// - Parameter text: The bytes of one message.
  /// - Returns: The message, or nil for one of an unknown kind: it is ignored.
  /// - Throws: A ``ClientProtocolError`` with the first byte that is wrong.
  public static func read(text: ArraySlice<UInt8>) throws(ClientProtocolError) -> HostMessage? {
    var reader = TextReader(text)
    guard let word = Word(rawValue: String(decoding: reader.word(), as: UTF8.self)) else {
      return nil
    }
    let message: HostMessage
    switch word {
    case .welcome: message = .welcome(try ClientWelcome(&reader))
    case .frame:
      let number = FrameNumber(
        epoch: try reader.number("an epoch"), count: try reader.number("the number of a frame"))
      message = .frame(SceneFrame(number: number, content: try reader.content()))
    case .acknowledged: message = .acknowledged(try reader.number("the number of an input"))
    case .move: message = .move(try reader.text("an address", limit: ClientHello.addressLimit))
    case .end: message = .end(try ClientEnd(&reader))
    }
    try reader.end()
    return message
  }
}

extension ClientWelcome {
  fileprivate var fields: String {
    "\(ClientHello.version) \(epoch) \(lastInput) \(reset?.code ?? 0) \(watches ? 1 : 0)"
  }

  fileprivate init(_ reader: inout TextReader) throws(ClientProtocolError) {
    let version = UInt64(ClientHello.version)
    _ = try reader.number("version \(version) of the protocol", in: version...version)
    epoch = try reader.number("an epoch")
    lastInput = try reader.number("the number of an input")
    let codes = UInt64(OutputReset.codes.count)
    let code = try reader.number("a reset from 0 to \(codes)", in: 0...codes)
    reset = code == 0 ? nil : OutputReset.codes[Int(code) - 1]
    watches = try reader.number("0 or 1", in: 0...1) == 1
  }
}

extension ClientEnd {
  fileprivate var fields: String {
    switch self {
    case .wrongInput(let expected): "\(code) \(expected)"
    case .unsupportedVersion(let version): "\(code) \(version)"
    default: "\(code)"
    }
  }

  fileprivate init(_ reader: inout TextReader) throws(ClientProtocolError) {
    let code = try reader.number("a reason from 1 to 9", in: 1...9)
    switch UInt8(code) {
    case 1: self = .takenOver
    case 2: self = .sessionEnded
    case 3: self = .hostEnded
    case 4: self = .wrongInput(expected: try reader.number("the number of an input"))
    case 5: self = .outputTooLarge
    case 6: self = .refused
    case 7: self = .unsupportedVersion(UInt8(try reader.number("a version", in: 0...255)))
    case 8: self = .unreadable
    default: self = .busy
    }
  }
}
