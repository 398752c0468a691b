// SPDX-License-Identifier: Apache-2.0

/// Numbers by a seed: xorshift, as the rivals draw theirs.
package struct Random: Sendable {
  private var state: UInt64

  package init(_ seed: Int) {
    state = (UInt64(seed) &+ 1) &* 0x9E37_79B9_7F4A_7C15
  }

  package mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// A number below a bound of at most 2³².
  package mutating func number(below bound: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
  }
}
