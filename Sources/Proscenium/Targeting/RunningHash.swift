// SPDX-License-Identifier: Apache-2.0

/// A hash of bytes that are added one by one, so that those of all beginnings of a text are met.
///
/// Identifiers come from outside, so its constants are drawn in each process, from the seed of the
/// standard library's hash: without knowing them no client can choose identifiers that collide.
/// Nothing that a program can see depends on the hash.
struct RunningHash {
  private static let start = draw(1)
  private static let secret = draw(2)

  private let factor = secret
  private(set) var value: UInt64

  /// Begins a hash; those with different salts differ.
  init(salt: UInt8) {
    value = Self.start ^ UInt64(salt) << 8
  }

  private static func draw(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
  }

  mutating func append(_ byte: UInt8) {
    let product = (value ^ UInt64(byte)).multipliedFullWidth(by: factor)
    value = product.high ^ product.low
  }
}
