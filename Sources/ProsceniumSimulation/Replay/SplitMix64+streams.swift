// SPDX-License-Identifier: Apache-2.0

package import ProsceniumPrimitives

extension SplitMix64 {
  /// Makes the generator of one of several that share a seed.
  package init(seed: UInt64, stream: Int) {
    var mixed = seed
    for _ in 0..<3 {
      var generator = SplitMix64(seed: mixed)
      mixed = generator.next() ^ UInt64(stream) &* 0x2545_F491_4F6C_DD1D
    }
    self.init(seed: mixed)
  }
}
