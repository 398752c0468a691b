// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  @Suite struct TermTableTests {
    private struct Entry: Hashable {
      let hash: UInt64
      let holder: UInt32
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `it has what was entered, as often as it was entered`(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      var table = TermTable()
      var counts: [Entry: Int] = [:]
      let hashes = (0..<400).map { _ in random.next() >> 24 }
      for number in 0..<4_000 {
        let entry = Entry(
          hash: hashes[random.number(below: number < 2_000 ? 400 : 40)],
          holder: UInt32(1 + random.number(below: 3)))
        if random.number(below: number < 2_000 ? 3 : 6) > 0, number < 2_000 || number % 3 == 0 {
          table.insert(entry.hash, entry.holder)
          counts[entry, default: 0] += 1
        } else {
          let isKnown = counts[entry] != nil
          #expect(table.remove(entry.hash, entry.holder) == isKnown)
          if isKnown { counts[entry] = counts[entry] == 1 ? nil : (counts[entry] ?? 0) - 1 }
        }
        if number % 1_000 == 999 {
          let gone = UInt32(1 + random.number(below: 3))
          table.keep { $0 != gone }
          counts = counts.filter { $0.key.holder != gone }
        }
        #expect(table.count == counts.values.reduce(0, +))
        let looked = hashes[random.number(below: 400)]
        var found: [UInt32: Int] = [:]
        table.look(for: looked) { found[$0, default: 0] += 1 }
        for holder in 1...3 as ClosedRange<UInt32> {
          #expect(found[holder] == counts[Entry(hash: looked, holder: holder)])
        }
      }
      #expect(Array(table.hashes).count == table.count)
    }

    @Test func `a term has at most 24 bytes`() {
      var random = SplitMix64(seed: 1)
      var table = TermTable()
      for count in 1...100_000 {
        table.insert(random.next() >> 24, 1)
        if count >= 16 { #expect(table.size <= 24 * count) }
      }
    }
  }
#endif
