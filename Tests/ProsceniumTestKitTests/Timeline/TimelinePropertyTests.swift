// SPDX-License-Identifier: Apache-2.0

import ProsceniumTestKit
import Testing

@Suite struct TimelinePropertyTests {
  /// The same numbers from the same seed.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      return mixed ^ mixed >> 27
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `a group matches what keeps the order of its sequences, and nothing else`(seed: UInt64) {
    var generator = Generator(state: seed)
    let sequences = (0..<Int.random(in: 1...4, using: &generator)).map { number in
      (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        "S\(number).\(["a", "b"].randomElement(using: &generator) ?? "")"
      }
    }
    var recorded = sequences.flatMap { $0 }
    recorded.shuffle(using: &generator)
    let keepsOrder = sequences.enumerated().allSatisfy { number, sequence in
      recorded.filter { $0.hasPrefix("S\(number).") } == sequence
    }
    let text = sequences.map { $0.joined(separator: "\n") }.joined(separator: "\n|\n")
    let difference = Timeline(lines: recorded).difference(from: "{\n\(text)\n}")
    #expect((difference == nil) == keepsOrder, "seed \(seed)")
  }
}
