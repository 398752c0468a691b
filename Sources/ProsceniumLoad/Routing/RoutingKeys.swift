// SPDX-License-Identifier: Apache-2.0

/// Distinct short texts, such as the changing part of an address: one for each number, by a seed.
struct RoutingKeys: Hashable, Sendable {
  private static let bits: UInt64 = 55
  private static let digits = Array("0123456789abcdefghijkmnpqrstuvwx".utf8)

  private let offset: UInt64

  /// Creates the texts of a seed.
  init(seed: UInt64) {
    offset = seed &* 0x9E37_79B9_7F4A_7C15
  }

  /// The 11 letters and digits of a number below 2⁵⁵.
  subscript(number: Int) -> String {
    let mask: UInt64 = 1 << Self.bits - 1
    // Each step can be undone within 55 bits, so that two numbers never get one text.
    var mixed = (UInt64(truncatingIfNeeded: number) &+ offset) & mask
    for factor in [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB] as [UInt64] {
      mixed ^= mixed >> 28
      mixed = mixed &* factor & mask
    }
    mixed ^= mixed >> 28
    return unsafe String(unsafeUninitializedCapacity: 11) { buffer in
      for index in 0..<11 {
        unsafe buffer[index] = Self.digits[Int(mixed >> UInt64(index * 5) & 31)]
      }
      return 11
    }
  }
}
