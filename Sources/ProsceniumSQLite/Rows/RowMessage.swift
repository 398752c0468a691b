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

  /// A checksum that protects from accidents, not from people.
  var checksum: Int64 {
    SessionKey.checksum(of: bytes)
  }
}
