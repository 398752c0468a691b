// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A checksum of 64 bits over the values of a row, by which flipped bits are noticed.
///
/// It protects from accidents, not from people: whoever can write the file can also compute it.
struct RowChecksum {
  private var state: UInt64

  /// Begins a checksum; rows of different tables begin with different numbers.
  init(_ table: Table) {
    state = UInt64(table.rawValue) &* 0x9E37_79B9_7F4A_7C15
  }

  /// The tables.
  enum Table: UInt8 {
    case store = 1, configuration, session, sessionKey, opening, contents, activation
  }

  /// Adds a number.
  @inline(__always)
  mutating func add(_ value: UInt64) {
    let product = (state ^ value).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = product.high ^ product.low &+ 0x2545_F491_4F6C_DD1D
  }

  /// Adds a signed number.
  @inline(__always)
  mutating func add(_ value: Int64) {
    add(UInt64(bitPattern: value))
  }

  /// Adds an identifier.
  @inline(__always)
  mutating func add(_ identifier: SessionIdentifier) {
    add(identifier.high)
    add(identifier.low)
  }

  /// Adds a text, or that there is none.
  @inline(__always)
  mutating func add(_ text: String?) {
    guard var text else { return add(UInt64.max) }
    text.withUTF8 { unsafe add($0.span.bytes) }
  }

  /// Adds bytes and their number.
  mutating func add(_ bytes: RawSpan) {
    let count = bytes.byteCount
    add(UInt64(count))
    var offset = 0
    while count - offset >= 8 {
      add(
        unsafe UInt64(
          littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < count else { return }
    var last: UInt64 = 0
    for index in offset..<count {
      last = last << 8 | UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
    add(last)
  }

  /// The checksum, as SQLite keeps it.
  var value: Int64 { Int64(bitPattern: state ^ state >> 32) }
}
