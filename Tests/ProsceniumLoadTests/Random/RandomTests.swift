// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct RandomTests {
  @Test func `SplitMix64 gives the published sequence`() {
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

  @Test func `ranks follow Zipf's law`() {
    let table = ZipfTable(count: 100)
    var random = SplitMix64(seed: 5)
    var counts = [Int](repeating: 0, count: 100)
    for _ in 0..<100_000 { counts[table.rank(&random)] += 1 }
    // H(100) = 5.187: rank 0 has 19.3 %, rank 1 half of it, rank 99 0.19 %.
    #expect((18_800...19_800).contains(counts[0]))
    #expect((9_200...10_100).contains(counts[1]))
    #expect((120...280).contains(counts[99]))
  }
}
