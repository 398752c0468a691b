// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct RunIdentifierTests {
  /// Gives the same bits whenever it is asked.
  private struct Fixed: RandomNumberGenerator {
    let bits: UInt64
    func next() -> UInt64 { bits }
  }

  @Test(
    arguments: [
      (0, "load-1795375000-0000000000000000"), (0xAB, "load-1795375000-00000000000000ab"),
      (UInt64.max, "load-1795375000-ffffffffffffffff"),
    ])
  func `an identifier has the program, the second and the bits`(bits: UInt64, text: String) {
    var generator = Fixed(bits: bits)
    let run = RunIdentifier(of: "load", startedAt: 1_795_375_000, using: &generator)
    #expect(run.description == text)
  }

  @Test func `runs of one second differ, and sort before those of the next`() {
    var generator = SplitMix64(seed: 1)
    let runs = (0..<1_000).map {
      RunIdentifier(of: "load", startedAt: 1_795_375_000 + $0 / 500, using: &generator).description
    }
    #expect(Set(runs).count == 1_000)
    let (first, next) = (runs[..<500], runs[500...])
    #expect((first.max() ?? "") < (next.min() ?? ""))
  }
}
