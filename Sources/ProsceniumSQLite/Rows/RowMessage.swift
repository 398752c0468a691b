// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSealing

/// What a row says, as bytes that no other row has.
struct RowMessage {
  private(set) var bytes: [UInt8] = []

  /// Adds a number.
  mutating func add(_ number: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Adds a number, or that there is none.
  mutating func add(_ number: Int64?) {
    add(UInt8(number == nil ? 0 : 1))
    add(number ?? 0 as Int64)
  }

  /// Adds a text, or that there is none.
  mutating func add(_ text: String?) {
    add(text.map { UInt32($0.utf8.count) } ?? .max)
    if let text { bytes.append(contentsOf: text.utf8) }
  }

  /// Adds bytes and their number.
  mutating func add(_ part: [UInt8]) {
    add(UInt32(part.count))
    bytes += part
  }

  /// The code of the message.
  func code(under key: CodeKey) -> MessageCode {
    unsafe key.code(of: bytes.span.bytes)
  }

  /// A checksum that protects from accidents, not from people.
  var checksum: Int64 {
    unsafe code(under: .known).withUnsafeBytes { unsafe $0.loadUnaligned(as: Int64.self) }
  }
}

/// What a new state changes in its session's row, and what has to be known of it for that.
struct RowMark: Sendable {
  let number: Int64
  /// The code of all that stays: its part of the row's code.
  let details: MessageCode
  var epoch: UInt32
  var lastActivated: Int64
  var changedAt: Int64
  /// The version of the saved state; 0 for none.
  var version: UInt64

  /// The code of the whole row: one block of the digest, and one for the key.
  func code(under key: CodeKey) -> MessageCode {
    unsafe details.withUnsafeBytes { details in
      let words = unsafe (
        (UInt64(epoch) << 32 | Self.kind).littleEndian, lastActivated.littleEndian,
        changedAt.littleEndian, version.littleEndian, details.loadUnaligned(as: UInt64.self),
        details.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
      return unsafe withUnsafeBytes(of: words) { unsafe key.code(of: $0.bytes) }
    }
  }

  /// The first byte of the message that a row's code is made of.
  private static let kind: UInt64 = 2
}
