// SPDX-License-Identifier: Apache-2.0

import Proscenium

// The bytes of messages: a kind, and the fields of that kind.
extension HostMessage {
  enum Kind: UInt8 {
    case welcome = 17
    case frame
    case acknowledged
    case move
    case end
  }

  /// The bytes of the message.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .welcome(let welcome):
      bytes += [Kind.welcome.rawValue, ClientHello.version]
      bytes.append(number: welcome.epoch)
      bytes.append(number: welcome.lastInput)
      bytes += [welcome.reset?.code ?? 0, welcome.watches ? 1 : 0]
    case .frame(let frame):
      bytes.append(Kind.frame.rawValue)
      bytes.append(number: frame.number.epoch)
      bytes.append(number: frame.number.count)
      bytes.append(frame.content)
    case .acknowledged(let number):
      bytes.append(Kind.acknowledged.rawValue)
      bytes.append(number: number)
    case .move(let address):
      bytes.append(Kind.move.rawValue)
      bytes += address.utf8
    case .end(let end):
      bytes += [Kind.end.rawValue, end.code]
      switch end {
      case .wrongInput(let expected): bytes.append(number: expected)
      case .unsupportedVersion(let version): bytes.append(version)
      default: break
      }
    }
    return bytes
  }

  /// Reads a message.
  ///
  /// - Parameter bytes: The bytes of one message.
  /// - Returns: The message, or nil for one of an unknown kind: it is ignored.
  /// - Throws: A ``ClientProtocolError`` with the first byte that is wrong.
  public static func read(
    _ bytes: ArraySlice<UInt8>
  ) throws(ClientProtocolError) -> HostMessage? {
    var reader = MessageReader(bytes)
    guard let kind = Kind(rawValue: try reader.byte("the kind of a message")) else { return nil }
    let message: HostMessage
    switch kind {
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
  fileprivate init(_ reader: inout MessageReader) throws(ClientProtocolError) {
    let start = reader.offset
    let version = try reader.byte("the version of the protocol")
    guard version == ClientHello.version else {
      throw ClientProtocolError(
        at: start, "version \(ClientHello.version) of the protocol", "version \(version)")
    }
    epoch = try reader.number("an epoch")
    lastInput = try reader.number("the number of an input")
    let code = try reader.byte(
      "a reset from 0 to \(OutputReset.codes.count)", atMost: UInt8(OutputReset.codes.count))
    reset = code == 0 ? nil : OutputReset.codes[Int(code) - 1]
    watches = try reader.byte("0 or 1", atMost: 1) == 1
  }
}

extension OutputReset {
  /// The resets, in the order of their codes, from 1 on.
  static let codes: [OutputReset] = [.new, .epoch, .overflow, .forgotten]

  var code: UInt8 {
    switch self {
    case .new: 1
    case .epoch: 2
    case .overflow: 3
    case .forgotten: 4
    }
  }
}

extension ClientEnd {
  var code: UInt8 {
    switch self {
    case .takenOver: 1
    case .sessionEnded: 2
    case .hostEnded: 3
    case .wrongInput: 4
    case .outputTooLarge: 5
    case .refused: 6
    case .unsupportedVersion: 7
    case .unreadable: 8
    case .busy: 9
    }
  }

  fileprivate init(_ reader: inout MessageReader) throws(ClientProtocolError) {
    let start = reader.offset
    switch try reader.byte("a reason") {
    case 1: self = .takenOver
    case 2: self = .sessionEnded
    case 3: self = .hostEnded
    case 4: self = .wrongInput(expected: try reader.number("the number of an input"))
    case 5: self = .outputTooLarge
    case 6: self = .refused
    case 7: self = .unsupportedVersion(try reader.byte("a version"))
    case 8: self = .unreadable
    case 9: self = .busy
    case let code: throw ClientProtocolError(at: start, "a reason from 1 to 9", "\(code)")
    }
  }
}
