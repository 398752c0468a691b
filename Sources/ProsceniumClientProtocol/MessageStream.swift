// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Cuts a stream of bytes into messages: each comes after its length.
///
/// For transports that have no messages of their own, such as TCP. A transport that has them, such
/// as WebSocket, needs no lengths.
public struct MessageStream: Sendable {
  /// The longest message, in bytes.
  public static let messageLimit = SceneMessage.sizeLimit + 32

  private var bytes: [UInt8] = []
  private var position = 0

  /// Begins with an empty stream.
  public init() {}

  /// Adds what has come.
  public mutating func append(_ more: some Sequence<UInt8>) {
    if position > 0 {
      bytes.removeFirst(position)
      position = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Takes the next message; nil if it is not there yet.
  ///
  /// - Returns: The bytes of the message.
  /// - Throws: A ``ClientProtocolError`` for a length over ``messageLimit``, once it has come.
  public mutating func next() throws(ClientProtocolError) -> ArraySlice<UInt8>? {
    var length = 0
    var place = position
    for shift in stride(from: 0, through: 14, by: 7) {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      length |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return try message(of: length, at: place) }
    }
    throw Self.tooLong("more")
  }

  private mutating func message(
    of length: Int, at start: Int
  ) throws(ClientProtocolError) -> ArraySlice<UInt8>? {
    guard length <= Self.messageLimit else { throw Self.tooLong("\(length)") }
    guard start + length <= bytes.count else { return nil }
    position = start + length
    return bytes[start..<start + length]
  }

  private static func tooLong(_ found: String) -> ClientProtocolError {
    ClientProtocolError(at: 0, "a message of at most \(messageLimit) bytes", found)
  }

  /// The bytes of a message with its length before it.
  public static func framed(_ message: [UInt8]) -> [UInt8] {
    var framed: [UInt8] = []
    framed.reserveCapacity(message.count + 3)
    framed.append(number: UInt64(message.count))
    return framed + message
  }
}
