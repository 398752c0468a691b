// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What stands in the open before the sealed bytes of a record.
///
/// In the file: sid 8 bytes, epoch 4, length 4, version 8, little-endian. All of it is bound by the
/// record's seal.
struct RecordHeader: Equatable, Sendable {
  /// The number of bytes of a header.
  static let size = 24

  /// The number of bytes that a record has beside its state: the header and the seal's tag.
  static let overhead = size + 16

  /// The largest state in bytes, 512 MiB: SQLite takes a value of 10^9 bytes.
  static let stateLimit = 1 << 29

  /// The number of the session's row.
  var sid: UInt64

  /// The epoch in which the state was captured.
  var epoch: UInt32

  /// The number of bytes of the state, and of its ciphertext.
  var length: UInt32

  /// The opening of the store in the upper 24 bits, the count within it in the lower 40.
  var version: UInt64

  /// The number of bytes of the whole record.
  var recordSize: Int { Self.overhead + Int(length) }

  /// The opening of the store in which the record was sealed.
  var opening: UInt64 { version >> 40 }

  /// The number of the record within its opening.
  var counter: UInt64 { version & (1 << 40 - 1) }

  /// The header's first twelve bytes, then the last twelve: the nonce.
  private var words: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) {
    (
      UInt32(truncatingIfNeeded: sid).littleEndian,
      UInt32(truncatingIfNeeded: sid >> 32).littleEndian, epoch.littleEndian,
      length.littleEndian, UInt32(truncatingIfNeeded: version).littleEndian,
      UInt32(truncatingIfNeeded: version >> 32).littleEndian
    )
  }

  /// Calls `body` with the nonce and with what the seal binds beside it and the state: the
  /// identifier, most significant byte first, and the first twelve bytes of the header.
  func withSealInputs<Result>(
    of identifier: SessionIdentifier,
    _ body: (_ nonce: RawSpan, _ binding: RawSpan) -> Result
  ) -> Result {
    let (high, low, words) = (identifier.high, identifier.low, words)
    let nonce = (words.3, words.4, words.5)
    let binding = (
      UInt32(truncatingIfNeeded: high >> 32).bigEndian, UInt32(truncatingIfNeeded: high).bigEndian,
      UInt32(truncatingIfNeeded: low >> 32).bigEndian, UInt32(truncatingIfNeeded: low).bigEndian,
      words.0, words.1, words.2
    )
    return unsafe withUnsafeBytes(of: nonce) { nonce in
      unsafe withUnsafeBytes(of: binding) { binding in
        body(unsafe RawSpan(_unsafeBytes: nonce), unsafe RawSpan(_unsafeBytes: binding))
      }
    }
  }

  init(sid: UInt64, epoch: UInt32, length: UInt32, version: UInt64) {
    self.sid = sid
    self.epoch = epoch
    self.length = length
    self.version = version
  }

  /// Puts a version together.
  ///
  /// - Parameters:
  ///   - opening: The number of the opening, below 2^24.
  ///   - counter: A number that is used once in the opening, below 2^40.
  /// - Returns: The version, or `nil` when a part has run out.
  static func version(opening: UInt64, counter: UInt64) -> UInt64? {
    opening >> 24 == 0 && counter >> 40 == 0 ? opening << 40 | counter : nil
  }

  /// Reads the header of the record that begins at an offset.
  ///
  /// - Returns: The header, or `nil` if the bytes do not hold one, or not the whole record.
  init?(in bytes: RawSpan, at offset: Int) {
    guard offset >= 0, bytes.byteCount - Self.overhead >= offset else { return nil }
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
      _ type: Number.Type, _ at: Int
    ) -> Number {
      unsafe Number(
        littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset + at, as: type))
    }
    self.init(
      sid: load(UInt64.self, 0), epoch: load(UInt32.self, 8), length: load(UInt32.self, 12),
      version: load(UInt64.self, 16))
    guard length <= Self.stateLimit, bytes.byteCount - offset >= recordSize else { return nil }
  }

  /// Writes the header's bytes to the beginning of a buffer.
  func write(to buffer: UnsafeMutableRawBufferPointer) {
    unsafe withUnsafeBytes(of: words) { unsafe buffer.copyMemory(from: $0) }
  }

}
