// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Testing

  /// What nodes know of each other's content, while sessions come, go and move, nodes die, and news
  /// takes its time.
  @Suite struct ContentTermsTests {
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `no session is left out while slices move and nodes die`(seed: UInt64) {
      var world = ContentWorld(seed: seed)
      for step in 0..<400 {
        world.step()
        if let missed = world.missed {
          Issue.record("seed \(seed), step \(step): \(missed)")
          return
        }
      }
      world.settle()
      #expect(world.missed == nil)
      #expect(world.namedInVain == nil)
    }
  }
#endif
