// SPDX-License-Identifier: Apache-2.0

/// Draws a sequence of numbers that its seed fixes, on every machine and in every version.
///
/// The standard library does not promise how it turns a generator's bits into a bounded number,
/// so the bounded draws are made here.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  @usableFromInline var state: UInt64

  /// Makes a generator; equal seeds give equal sequences.
  @inlinable
  public init(seed: UInt64) { state = seed }

  /// Draws 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Draws a number from 0 up to, but not including, the bound; 0 where the bound is below 1.
  ///
  /// The draw is biased by less than one in 2⁶⁴ divided by the bound.
  @inlinable
  public mutating func number(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(bound, 0))).high)
  }

  /// Draws whether something happens that happens so many times in a thousand.
  @inlinable
  public mutating func happens(perThousand share: Int) -> Bool {
    number(below: 1_000) < share
  }
}
