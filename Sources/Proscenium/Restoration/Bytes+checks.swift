// SPDX-License-Identifier: Apache-2.0

extension Bytes {
  /// Tells whether bytes are a text in UTF-8: no overlong form, no surrogate, nothing cut off.
  ///
  /// Its use of pointers is safe: each read lies before `count`.
  static func areUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    var offset = 0
    while offset < count {
      if count - offset >= 8,
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          & 0x8080_8080_8080_8080 == 0
      {
        offset += 8
        continue
      }
      if count - offset >= 4,
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) & 0x8080_8080 == 0
      {
        offset += 4
        continue
      }
      let first = unsafe bytes[offset]
      if first < 0x80 {
        offset += 1
        continue
      }
      guard let length = unsafe scalarLength(first, bytes, offset) else { return false }
      offset += length
    }
    return true
  }

  /// The length of the scalar that begins with a byte above 0x7F, or nil if there is none.
  private static func scalarLength(
    _ first: UInt8, _ bytes: UnsafeRawBufferPointer, _ offset: Int
  ) -> Int? {
    let length: Int
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return nil
    }
    guard length <= bytes.count - offset else { return nil }
    // The second byte tells overlong forms, surrogates and what is beyond the last scalar.
    let second: ClosedRange<UInt8> =
      switch first {
      case 0xE0: 0xA0...0xBF
      case 0xED: 0x80...0x9F
      case 0xF0: 0x90...0xBF
      case 0xF4: 0x80...0x8F
      default: 0x80...0xBF
      }
    guard unsafe second.contains(bytes[offset + 1]) else { return nil }
    for index in 2..<max(length, 2) where unsafe bytes[offset + index] & 0xC0 != 0x80 { return nil }
    return length
  }

  /// Tells whether one range of bytes comes before another one, in the order of their bytes.
  ///
  /// Its use of pointers is safe as long as both ranges lie within the bytes.
  @inline(__always)
  static func precede(
    _ bytes: UnsafeRawBufferPointer, _ left: Range<Int>, _ right: Range<Int>
  ) -> Bool {
    let shared = min(left.count, right.count)
    var index = 0
    while index + 8 <= shared {
      let words = unsafe (
        bytes.loadUnaligned(fromByteOffset: left.lowerBound + index, as: UInt64.self).bigEndian,
        bytes.loadUnaligned(fromByteOffset: right.lowerBound + index, as: UInt64.self).bigEndian
      )
      if words.0 != words.1 { return words.0 < words.1 }
      index += 8
    }
    while index < shared {
      let pair = unsafe (bytes[left.lowerBound + index], bytes[right.lowerBound + index])
      if pair.0 != pair.1 { return pair.0 < pair.1 }
      index += 1
    }
    return left.count < right.count
  }
}
