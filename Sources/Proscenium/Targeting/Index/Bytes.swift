// SPDX-License-Identifier: Apache-2.0

import CProscenium

/// Comparisons of bytes in memory, eight at a time.
enum Bytes {
  /// Tells whether two texts of at least the given length begin with the same bytes.
  @inline(__always)
  static func equal(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, byteCount: Int
  ) -> Bool {
    var offset = 0
    while offset + 8 <= byteCount {
      if unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset += 8
    }
    while offset < byteCount {
      if unsafe left[offset] != right[offset] { return false }
      offset += 1
    }
    return true
  }

  /// Tells whether a text contains another one, in time proportional to the two.
  static func contains(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
    unsafe proscenium_contains(text.baseAddress, text.count, part.baseAddress, part.count) != 0
  }

  /// Calls a function with a text backwards.
  @inline(__always)
  static func withReversed<Result>(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { reversed in
      var offset = 0
      while offset + 8 <= text.count {
        let word = unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        unsafe reversed.storeBytes(
          of: word.byteSwapped, toByteOffset: text.count - 8 - offset, as: UInt64.self)
        offset += 8
      }
      while offset < text.count {
        unsafe reversed[text.count - 1 - offset] = text[offset]
        offset += 1
      }
      return unsafe body(UnsafeRawBufferPointer(reversed))
    }
  }
}
