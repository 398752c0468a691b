// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@Suite struct SplitMix64Tests {
  @Test func `it gives the published sequence`() {
    // The test vector of the reference implementation (Vigna, seed 1234567).
    var random = SplitMix64(seed: 1_234_567)
    let drawn = (0..<5).map { _ in random.next() }
    #expect(
      drawn == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `bounded draws stay below their bound and reach all of it`() {
    var random = SplitMix64(seed: 1)
    let drawn = Set((0..<1_000).map { _ in random.number(below: 10) })
    #expect(drawn == Set(0..<10))
    #expect(random.number(below: 1) == 0)
    #expect(random.number(below: 0) == 0)
    #expect(random.number(below: -5) == 0)
  }

  @Test func `shares in a thousand`() {
    var random = SplitMix64(seed: 1)
    let count = (0..<10_000).filter { _ in random.happens(perThousand: 250) }.count
    #expect((2_300...2_700).contains(count))
    #expect(!(0..<1_000).contains { _ in random.happens(perThousand: 0) })
    #expect((0..<1_000).allSatisfy { _ in random.happens(perThousand: 1_000) })
  }
}
