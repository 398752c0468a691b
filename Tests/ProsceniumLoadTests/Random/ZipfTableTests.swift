// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct ZipfTableTests {
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
