// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import Testing

  @Suite struct NodeWatchTests {
    @Test func `a node is dead whose counter has stood still for a lease`() {
      var watch = NodeWatch(lease: .seconds(5))
      for second in 0..<5 {
        #expect(watch.look(at: [1: 7], .seconds(second)).dead.isEmpty)
      }
      #expect(watch.look(at: [1: 7], .seconds(5)).dead == [1])
    }

    @Test func `a counter that moves begins a new lease`() {
      var watch = NodeWatch(lease: .seconds(5))
      for second in 0..<20 {
        let seen = watch.look(at: [1: Int64(second / 4)], .seconds(second))
        #expect(seen.dead.isEmpty)
        // Known to live for half of a lease.
        #expect(seen.alive == (second >= 4 && second % 4 <= 2 ? [1] : []))
      }
    }

    @Test func `who has lost contact knows nothing about the time before`() {
      var watch = NodeWatch(lease: .seconds(5))
      for second in 0..<5 { _ = watch.look(at: [1: 7], .seconds(second)) }
      watch.loseContact()
      for second in 5..<10 {
        #expect(watch.look(at: [1: 7], .seconds(second)).dead.isEmpty)
      }
      #expect(watch.look(at: [1: 7], .seconds(10)).dead == [1])
    }

    @Test func `who has not looked for long knows nothing about the time in between`() {
      var watch = NodeWatch(lease: .seconds(5))
      _ = watch.look(at: [1: 7], .seconds(0))
      #expect(watch.look(at: [1: 7], .seconds(9)).dead.isEmpty)
    }

    @Test func `with a short lease a shorter pause breaks the contact`() {
      var watch = NodeWatch(lease: .seconds(1))
      _ = watch.look(at: [1: 7], .seconds(0))
      #expect(watch.look(at: [1: 7], .milliseconds(1_500)).dead.isEmpty)
    }

    @Test func `a node that comes again is seen for the first time`() {
      var watch = NodeWatch(lease: .seconds(2))
      _ = watch.look(at: [1: 7], .seconds(0))
      _ = watch.look(at: [:], .seconds(1))
      #expect(watch.look(at: [1: 7], .seconds(2)).dead.isEmpty)
    }
  }
#endif
