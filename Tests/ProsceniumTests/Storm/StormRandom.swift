// SPDX-License-Identifier: Apache-2.0

/// The random numbers of a storm: SplitMix64, so that a seed means the same everywhere.
struct StormRandom: Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The generator of one of several that share a seed.
  init(seed: UInt64, stream: Int) {
    self.init(seed: seed)
    for _ in 0..<3 { state = next() ^ UInt64(stream) &* 0x2545_F491_4F6C_DD1D }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Draws a number from 0 up to, but not including, a bound.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
