// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Who was not used for the longest time.
@Suite struct RecentUsesTests {
  @Test func `the one whose last tick is the longest ago comes first`() {
    var uses = RecentUses()
    uses.insert(3, at: 1)
    uses.insert(5, at: 1)
    uses.insert(4, at: 2)
    #expect(uses.count == 3)
    #expect(uses.oldest(notAfter: 0) == nil)
    #expect(uses.oldest(notAfter: 1) == 3)
    uses.use(3, at: 2)
    #expect(uses.oldest(notAfter: 1) == 5)
    uses.insert(5, at: 3)
    #expect(uses.oldest(notAfter: 1) == nil)
    #expect(uses.oldest(notAfter: 2) == 4)
    let isRemoved = uses.remove(4)
    let isRemovedAgain = uses.remove(4)
    #expect(isRemoved && !isRemovedAgain)
    #expect(uses.oldest(notAfter: 9) == 3)
  }

  @Test func `what is not there is not used`() {
    var uses = RecentUses()
    uses.use(1_000_000, at: 1)
    #expect(uses.count == 0)
    #expect(!uses.contains(1_000_000))
    #expect(uses.oldest(notAfter: .max) == nil)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `it equals a list that is searched`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var uses = RecentUses()
    var ticks: [UInt32: UInt32] = [:]
    for step in 0..<2_000 {
      let tick = UInt32(step / 7)
      let key = UInt32(random.number(below: 40))
      switch random.number(below: 4) {
      case 0:
        uses.insert(key, at: tick)
        ticks[key] = tick
      case 1, 2:
        uses.use(key, at: tick)
        if ticks[key] != nil { ticks[key] = tick }
      default:
        let isRemoved = uses.remove(key)
        #expect(isRemoved == (ticks.removeValue(forKey: key) != nil), "seed \(seed)")
      }
      let oldest = uses.oldest(notAfter: .max)
      #expect(oldest.flatMap { ticks[$0] } == ticks.values.min(), "seed \(seed)")
      #expect(uses.count == ticks.count, "seed \(seed)")
    }
  }
}
