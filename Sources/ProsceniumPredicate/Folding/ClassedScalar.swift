// SPDX-License-Identifier: Apache-2.0

/// A scalar with its canonical combining class; the smaller one comes first in canonical order.
struct ClassedScalar: Comparable {
  /// The class in 8 bits, the position in 35, and the scalar in 21: sorting by them is stable,
  /// because no two positions are the same.
  private let bits: UInt64

  init(_ scalar: UInt32, combiningClass: UInt8, position: Int) {
    bits =
      UInt64(combiningClass) << 56 | UInt64(truncatingIfNeeded: position) << 21 | UInt64(scalar)
  }

  var scalar: UInt32 { UInt32(truncatingIfNeeded: bits & 0x1F_FFFF) }

  var combiningClass: UInt8 { UInt8(truncatingIfNeeded: bits >> 56) }

  static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}
