// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  @Suite struct SliceBalanceTests {
    private static let count = 1_024

    /// Nodes that give slices to each other, in rounds, until none gives any.
    private struct Cluster {
      var owners: [Int32?]
      var builds: [Int32: Int32]
      var draining: Set<Int32> = []
      /// How often each slice has moved.
      var moves = [Int](repeating: 0, count: SliceBalanceTests.count)

      var owned: [Int32: Int] {
        owners.reduce(into: [:]) { counts, owner in
          if let owner { counts[owner, default: 0] += 1 }
        }
      }

      /// Returns after how many rounds all have their share, or `nil` if they never have.
      mutating func settle() -> Int? {
        for round in 0..<2_000 {
          let balance = SliceBalance(
            owned, builds: builds, draining: draining, of: owners.count)
          let all = builds.keys.sorted().compactMap { node in
            balance.move(of: node).map { (node, $0) }
          }
          if all.isEmpty { return round }
          for (node, move) in all {
            for slice in owners.indices.filter({ owners[$0] == node }).suffix(move.count) {
              owners[slice] = move.receiver
              moves[slice] += 1
            }
          }
          // A receiver never has more than its share by that.
          let after = SliceBalance(
            owned, builds: builds, draining: draining, of: owners.count)
          for (_, move) in all {
            #expect(owned[move.receiver, default: 0] <= after.share(of: move.receiver))
          }
        }
        return nil
      }

      /// Ends a node; the others claim what it had.
      mutating func end(_ node: Int32) {
        builds[node] = nil
        for slice in owners.indices where owners[slice] == node { owners[slice] = nil }
        for other in builds.keys.sorted() {
          let balance = SliceBalance(owned, builds: builds, of: owners.count)
          let room = max(0, balance.share(of: other) - owned[other, default: 0])
          for slice in owners.indices.filter({ owners[$0] == nil }).prefix(room) {
            owners[slice] = other
            moves[slice] += 1
          }
        }
      }
    }

    @Test func `a node that joins gets its share, eight slices at a time`() {
      let owned: [Int32: Int] = [1: 512, 2: 512]
      let balance = SliceBalance(owned, builds: [1: 0, 2: 0, 3: 0], of: Self.count)
      #expect(balance.move(of: 1) == .init(receiver: 3, count: 8))
      #expect(balance.move(of: 2) == .init(receiver: 3, count: 8))
      #expect(balance.move(of: 3) == nil)
      #expect(balance.move(of: 4) == nil, "a node that is not there")
    }

    @Test func `a twentieth more than the share is left where it is`() {
      let builds: [Int32: Int32] = [1: 0, 2: 0]
      #expect(SliceBalance([1: 537, 2: 487], builds: builds, of: Self.count).move(of: 1) == nil)
      #expect(
        SliceBalance([1: 538, 2: 486], builds: builds, of: Self.count).move(of: 1)
          == .init(receiver: 2, count: 8))
    }

    @Test func `no node alone, and none without slices, gives anything`() {
      #expect(SliceBalance([1: 1_024], builds: [1: 0], of: Self.count).move(of: 1) == nil)
      #expect(SliceBalance([:], builds: [1: 0, 2: 0], of: Self.count).move(of: 1) == nil)
      #expect(SliceBalance([:], builds: [:], of: Self.count).move(of: 1) == nil)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `however slices are spread, all nodes come to have their share`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      let nodes = Int32(1 + random.number(below: 9))
      var cluster = Cluster(
        owners: (0..<Self.count).map { _ in
          // Some have much more than others.
          Int32(1 + min(random.number(below: Int(nodes)), random.number(below: Int(nodes))))
        }, builds: [:])
      for node in 1...nodes { cluster.builds[node] = 7 }
      let settled = cluster.settle()
      let rounds = try #require(settled)
      #expect(rounds <= Self.count / SliceBalance.limit + Int(nodes))
      #expect(cluster.owned.values.reduce(0, +) == Self.count)
      let share = (Self.count + Int(nodes) - 1) / Int(nodes)
      for node in 1...nodes {
        #expect(cluster.owned[node, default: 0] <= share + max(2, share / 20))
      }
    }

    @Test func `a rolling deploy with a node to spare moves each slice once`() {
      var cluster = Cluster(
        owners: (0..<Self.count).map { Int32($0 % 3 + 1) }, builds: [1: 1, 2: 1, 3: 1])
      let rounds = cluster.settle()
      #expect(rounds == 0)
      for old in 1...3 as ClosedRange<Int32> {
        cluster.builds[old + 3] = 2
        var rounds = cluster.settle()
        #expect(rounds != nil)
        cluster.end(old)
        rounds = cluster.settle()
        #expect(rounds != nil)
      }
      #expect(Set(cluster.owned.keys) == [4, 5, 6])
      let moves = cluster.moves.reduce(0, +)
      #expect(moves <= Self.count + Self.count / 20, "\(moves) moves")
    }

    @Test func `a rolling deploy by drains moves each slice once`() {
      var cluster = Cluster(
        owners: (0..<Self.count).map { Int32($0 % 3 + 1) }, builds: [1: 1, 2: 1, 3: 1])
      for old in 1...3 as ClosedRange<Int32> {
        cluster.builds[old + 3] = 2
        cluster.draining = [old]
        let rounds = cluster.settle()
        #expect(rounds != nil && cluster.owned[old] == nil)
        cluster.builds[old] = nil
      }
      #expect(Set(cluster.owned.keys) == [4, 5, 6])
      #expect(cluster.moves.allSatisfy { $0 == 1 })
    }

    @Test func `a node that drains has no share, and none is given anything by it alone`() {
      let builds: [Int32: Int32] = [1: 1, 2: 1, 3: 2]
      let balance = SliceBalance([1: 512, 2: 512], builds: builds, draining: [1], of: Self.count)
      #expect(balance.share(of: 1) == 0 && balance.share(of: 2) == 512)
      #expect(balance.move(of: 1) == .init(receiver: 3, count: 8), "to the newest build")
      #expect(balance.move(of: 2) == nil, "builds are mixed")
      let all = SliceBalance([1: 600, 2: 424], builds: [1: 1, 2: 1], draining: [1, 2], of: 1_024)
      #expect(all.move(of: 1) == nil && all.move(of: 2) == nil)
      let alone = SliceBalance([1: 1_024], builds: [1: 1], draining: [1], of: Self.count)
      #expect(alone.move(of: 1) == nil && alone.share(of: 1) == 1_024)
    }
  }
#endif
