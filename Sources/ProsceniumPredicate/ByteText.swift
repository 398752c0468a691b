// SPDX-License-Identifier: Apache-2.0

import CProscenium

/// The comparisons of texts, on their UTF-8 bytes.
package enum ByteText {
  static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    left.count == right.count
      && commonByteCount(left, 0, right, 0, limit: right.count) == right.count
  }

  /// Tells whether a text begins with a prefix, which is never so if that is empty.
  static func begins(_ text: Span<UInt8>, with prefix: Span<UInt8>) -> Bool {
    !prefix.isEmpty && prefix.count <= text.count
      && commonByteCount(text, 0, prefix, 0, limit: prefix.count) == prefix.count
  }

  /// Tells whether a text ends with a suffix, which is never so if that is empty.
  static func ends(_ text: Span<UInt8>, with suffix: Span<UInt8>) -> Bool {
    let start = text.count - suffix.count
    return !suffix.isEmpty && start >= 0
      && commonByteCount(text, start, suffix, 0, limit: suffix.count) == suffix.count
  }

  /// Tells whether a text contains a part, which is never so if that is empty.
  ///
  /// The time is linear in the length of both, as `memmem` of the C library on Linux is.
  package static func contains(_ text: Span<UInt8>, _ part: Span<UInt8>) -> Bool {
    guard !part.isEmpty, part.count <= text.count else { return false }
    // A whole scalar never begins within another, so offsets of bytes are enough.
    return unsafe text.withUnsafeBytes { text in
      unsafe part.withUnsafeBytes { part in
        unsafe proscenium_contains(
          text.baseAddress, text.count, part.baseAddress, part.count) != 0
      }
    }
  }

  /// Tells whether a text comes before another one in the order of UTF-16 code units.
  static func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    let shorter = min(left.count, right.count)
    let common = commonByteCount(left, 0, right, 0, limit: shorter)
    guard common < shorter else { return left.count < right.count }
    return rank(left[common]) < rank(right[common])
  }

  /// The place of a byte at which two texts differ.
  ///
  /// Bytes order scalars by value. UTF-16 has the scalars above U+FFFF, which begin with 0xF0 or
  /// more, before U+E000 to U+FFFF, which begin with 0xEE and 0xEF.
  private static func rank(_ byte: UInt8) -> UInt8 {
    byte & 0xFE == 0xEE ? byte | 0x10 : byte
  }

  /// The number of bytes, up to a limit, that two texts share from an offset in each.
  package static func commonByteCount(
    _ left: Span<UInt8>, _ leftStart: Int, _ right: Span<UInt8>, _ rightStart: Int, limit: Int
  ) -> Int {
    var offset = 0
    while offset + 8 <= limit {
      let difference = word(left, leftStart + offset) ^ word(right, rightStart + offset)
      if difference != 0 { return offset + difference.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < limit, left[leftStart + offset] == right[rightStart + offset] { offset += 1 }
    return offset
  }

  /// The eight bytes from an offset on, the first of them lowest.
  @inline(__always)
  static func word(_ text: Span<UInt8>, _ offset: Int) -> UInt64 {
    // Any eight bytes are a word, and the load checks that they are within the text.
    unsafe UInt64(
      littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
