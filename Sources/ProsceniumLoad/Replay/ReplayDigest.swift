// SPDX-License-Identifier: Apache-2.0

/// Sums up texts in 64 bits (FNV-1a), the same on every machine.
///
/// It tells texts apart that differ by accident; it is no protection against intent.
struct ReplayDigest: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Adds a text and its end, so that `ab`, `c` differs from `a`, `bc`.
  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xFF)
  }

  /// The sum as sixteen lower-case hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
