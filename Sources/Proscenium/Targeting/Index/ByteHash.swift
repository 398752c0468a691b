// SPDX-License-Identifier: Apache-2.0

/// A hash of bytes for tables in memory: sixteen bytes a multiplication.
///
/// Identifiers come from outside, so the constants are drawn anew in every process, from the seed
/// of the standard library's hash: without knowing them nobody can choose identifiers that collide.
/// Nothing that a program can see depends on the hash.
struct ByteHash: Sendable {
  static let shared = ByteHash()

  private let first = Self.draw(1)
  private let second = Self.draw(2)
  private let third = Self.draw(3)

  private static func draw(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
  }

  @inline(__always)
  func callAsFunction(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var prefixes = unsafe Prefixes(text)
    return prefixes.hash(of: text.count)
  }

  /// The hashes of one text's beginnings, from the shorter to the longer ones.
  @safe
  struct Prefixes {
    private let text: UnsafeRawBufferPointer
    private var state: UInt64
    private var offset = 0

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer) {
      unsafe self.text = text
      state = ByteHash.shared.first
    }

    /// The hash of the first bytes; no fewer than at the call before.
    @inline(__always)
    mutating func hash(of count: Int) -> UInt64 {
      while offset + 16 < count {
        state = unsafe ByteHash.shared.mixed(text, offset, state)
        offset += 16
      }
      return unsafe ByteHash.shared.finish(text, count, state)
    }
  }

  @inline(__always)
  private func mixed(_ text: UnsafeRawBufferPointer, _ offset: Int, _ state: UInt64) -> UInt64 {
    unsafe fold(word(text, offset) ^ second, word(text, offset + 8) ^ state)
  }

  @inline(__always)
  private func finish(_ text: UnsafeRawBufferPointer, _ count: Int, _ state: UInt64) -> UInt64 {
    // The last sixteen bytes, which may overlap the ones before.
    let tail: (low: UInt64, high: UInt64)
    if count >= 16 {
      tail = unsafe (word(text, count - 16), word(text, count - 8))
    } else if count >= 8 {
      tail = unsafe (word(text, 0), word(text, count - 8))
    } else if count >= 4 {
      tail = unsafe (halfWord(text, 0), halfWord(text, count - 4))
    } else if count > 0 {
      tail = unsafe (
        UInt64(text[0]) << 16 | UInt64(text[count / 2]) << 8 | UInt64(text[count - 1]), 0
      )
    } else {
      tail = (0, 0)
    }
    return fold(
      fold(tail.low ^ second, tail.high ^ state), UInt64(truncatingIfNeeded: count) ^ third)
  }

  @inline(__always)
  private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  @inline(__always)
  private func word(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private func halfWord(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
