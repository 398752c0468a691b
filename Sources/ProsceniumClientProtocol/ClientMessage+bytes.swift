// SPDX-License-Identifier: Apache-2.0

import Proscenium

// The bytes of messages: a kind, and the fields of that kind.
extension ClientMessage {
  enum Kind: UInt8 {
    case hello = 1
    case input
    case ack
    case visible
  }

  /// The bytes of the message.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .hello(let hello):
      bytes.append(Kind.hello.rawValue)
      hello.append(to: &bytes)
    case .input(let number, let content):
      bytes.append(Kind.input.rawValue)
      bytes.append(number: number)
      bytes.append(content)
    case .ack(let count):
      bytes.append(Kind.ack.rawValue)
      bytes.append(number: count)
    case .visible(let isVisible): bytes += [Kind.visible.rawValue, isVisible ? 1 : 0]
    }
    return bytes
  }

  /// Reads a message.
  ///
  /// - Parameter bytes: The bytes of one message.
  /// - Returns: The message, or nil for one of an unknown kind: it is ignored.
  /// - Throws: A ``ClientProtocolError`` with the first byte that is wrong. A hello of another
  ///   version is an error at byte 1.
  public static func read(
    _ bytes: ArraySlice<UInt8>
  ) throws(ClientProtocolError) -> ClientMessage? {
    var reader = MessageReader(bytes)
    guard let kind = Kind(rawValue: try reader.byte("the kind of a message")) else { return nil }
    let message: ClientMessage
    switch kind {
    case .hello: message = .hello(try ClientHello(&reader))
    case .input: message = .input(try reader.number("the number of an input"), try reader.content())
    case .ack: message = .ack(try reader.number("the number of a frame"))
    case .visible: message = .visible(try reader.byte("0 or 1", atMost: 1) == 1)
    }
    try reader.end()
    return message
  }
}

extension ClientHello {
  private static let visibleFlag: UInt8 = 1
  private static let watchesFlag: UInt8 = 2
  private static let lastSeenFlag: UInt8 = 4

  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(Self.version)
    bytes.append(word: client.high)
    bytes.append(word: client.low)
    bytes.append(
      (isVisible ? Self.visibleFlag : 0) | (watches ? Self.watchesFlag : 0)
        | (lastSeen == nil ? 0 : Self.lastSeenFlag))
    bytes.append(number: nextInput)
    if let lastSeen {
      bytes.append(number: lastSeen.epoch)
      bytes.append(number: lastSeen.count)
    }
    bytes += address.utf8
  }

  fileprivate init(_ reader: inout MessageReader) throws(ClientProtocolError) {
    let start = reader.offset
    let version = try reader.byte("the version of the protocol")
    guard version == Self.version else {
      throw ClientProtocolError(
        at: start, "version \(Self.version) of the protocol", "version \(version)",
        isVersion: true)
    }
    client = ClientIdentifier(
      high: try reader.word("the identifier of a client"),
      low: try reader.word("the identifier of a client"))
    let flags = try reader.byte("flags from 0 to 7", atMost: 7)
    isVisible = flags & Self.visibleFlag != 0
    watches = flags & Self.watchesFlag != 0
    nextInput = try reader.number("the number of an input")
    if flags & Self.lastSeenFlag != 0 {
      lastSeen = FrameNumber(
        epoch: try reader.number("an epoch"), count: try reader.number("the number of a frame"))
    } else {
      lastSeen = nil
    }
    address = try reader.text("an address", limit: Self.addressLimit)
  }
}
