// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import Testing

  @Suite struct SliceLedgerTests {
    /// A map of slices by owner, epoch and deaths.
    private static func map(_ number: Int64, _ slices: (Int32?, UInt32, Int)...) -> ClusterMap {
      ClusterMap(
        number: number, fence: 1,
        slices: slices.map { ClusterMap.Slice(owner: $0, epoch: $1, deaths: $2) })
    }

    /// Lets a ledger of node 1 have a map and take up what is its own; returns what it drops.
    private static func take(
      _ map: ClusterMap, _ ledger: inout SliceLedger,
      tenures: [UInt32] = [UInt32](repeating: 1, count: 8)
    ) -> Set<Int> {
      let dropped = ledger.take(map, as: 1, tenures: tenures, gifts: ledger.gifts) ?? []
      // Not before it has gone.
      for slice in dropped { #expect(ledger[slice] == .none) }
      ledger.takeUp()
      return dropped
    }

    /// Nodes of one build, from number 1 on.
    private static func members(_ count: Int32) -> [Int32: ClusterMember] {
      let members = (1...count).map {
        ClusterMember(number: $0, name: "n", address: "a", build: 1, beat: 0, slices: 0)
      }
      return Dictionary(uniqueKeysWithValues: members.map { ($0.number, $0) })
    }

    /// Takes up everything that a ledger wants.
    private static func serve(_ ledger: inout SliceLedger, at time: Duration = .zero) {
      let wanted = ledger.nextWanted(16)
      #expect(ledger.finish(wanted, isDone: true, time).isEmpty)
    }

    @Test func `before a map was read no slice is served, asked for or given`() {
      var ledger = SliceLedger(parkAfter: 3)
      #expect(ledger[7] == .none)
      #expect(ledger.tenure(of: 7) == nil)
      #expect(ledger.owner(7) == nil)
      ledger.ask(for: 7)
      #expect(ledger.nextWanted(16).isEmpty)
      #expect(ledger.release(upTo: 8).isEmpty)
    }

    @Test func `what a node owns is wanted, then adopted, then served`() {
      var ledger = SliceLedger(parkAfter: 3)
      #expect(Self.take(Self.map(1, (1, 1, 0), (2, 1, 0), (nil, 0, 0)), &ledger).isEmpty)
      #expect(ledger[0] == .wanted)
      #expect(ledger[1] == .none)
      #expect(ledger.freeCount == 1)
      #expect(ledger.nextWanted(16) == [0: .init(epoch: 1, number: 1)])
      #expect(ledger[0] == .adopting)
      #expect(ledger.served.isEmpty)
      #expect(ledger.finish([0: .init(epoch: 1, number: 1)], isDone: true, .zero).isEmpty)
      #expect(ledger.served == [0])
    }

    @Test func `what goes to another node, or comes back in another epoch, is dropped`() {
      var ledger = SliceLedger(parkAfter: 3)
      _ = Self.take(Self.map(1, (1, 1, 0), (1, 1, 0), (1, 1, 0)), &ledger)
      Self.serve(&ledger)
      #expect(Self.take(Self.map(2, (2, 2, 0), (1, 3, 0), (1, 1, 0)), &ledger) == [0, 1])
      #expect(ledger[0] == .none)
      #expect(ledger[1] == .wanted)
      #expect(ledger[2] == .served)
    }

    @Test func `a slice that was another's in the meantime is dropped, be it in the same epoch`() {
      var ledger = SliceLedger(parkAfter: 3)
      let map = Self.map(1, (1, 1, 0), (1, 1, 0))
      _ = Self.take(map, &ledger, tenures: [1, 1])
      Self.serve(&ledger)
      #expect(Self.take(map, &ledger, tenures: [1, 3]) == [1])
      #expect(ledger[0] == .served && ledger[1] == .wanted)
      // Its rows are being read when that happens again: what was read before is not served.
      let first = ledger.nextWanted(16)
      #expect(Self.take(map, &ledger, tenures: [1, 5]) == [1])
      let second = ledger.nextWanted(16)
      #expect(ledger.finish(first, isDone: true, .zero) == [1])
      #expect(ledger.finish(second, isDone: true, .zero).isEmpty)
      #expect(ledger.served == [0, 1])
    }

    @Test func `what is lost while it is adopted is not served, and is dropped`() {
      var ledger = SliceLedger(parkAfter: 3)
      _ = Self.take(Self.map(1, (1, 1, 0)), &ledger)
      let wanted = ledger.nextWanted(16)
      #expect(Self.take(Self.map(2, (1, 3, 0)), &ledger) == [0])
      #expect(ledger.finish(wanted, isDone: true, .zero) == [0])
      #expect(ledger[0] == .wanted)
    }

    @Test func `what could not be adopted is wanted again`() {
      var ledger = SliceLedger(parkAfter: 3)
      _ = Self.take(Self.map(1, (1, 1, 0)), &ledger)
      let wanted = ledger.nextWanted(16)
      #expect(ledger.finish(wanted, isDone: false, .zero).isEmpty)
      #expect(ledger[0] == .wanted)
    }

    @Test func `a slice whose owners died is parked until its deaths are forgotten`() {
      var ledger = SliceLedger(parkAfter: 3)
      _ = Self.take(Self.map(1, (1, 4, 3), (1, 3, 2)), &ledger)
      #expect(ledger[0] == .parked)
      #expect(ledger[1] == .wanted)
      Self.serve(&ledger, at: .seconds(5))
      #expect(ledger.calm(since: .seconds(600), .seconds(604)).isEmpty)
      #expect(ledger.calm(since: .seconds(600), .seconds(605)) == [1])
      _ = Self.take(Self.map(2, (1, 4, 0), (1, 3, 0)), &ledger)
      #expect(ledger[0] == .wanted)
    }

    @Test func `what was asked for comes first`() {
      var ledger = SliceLedger(parkAfter: 3)
      _ = Self.take(Self.map(1, (1, 1, 0), (1, 1, 0), (1, 1, 0)), &ledger)
      ledger.ask(for: 2)
      #expect(ledger.nextWanted(1).keys.elementsEqual([2]))
    }

    @Test func `what is given away is served no longer, and the next map tells whose it is`() {
      var ledger = SliceLedger(parkAfter: 3)
      let map = Self.map(1, (1, 1, 0), (1, 1, 0), (1, 1, 0), (1, 1, 0), (1, 1, 0), (1, 1, 0))
      ledger.members = Self.members(2)
      _ = Self.take(map, &ledger)
      #expect(ledger.nextMove == nil, "not before everything is served")
      Self.serve(&ledger)
      #expect(ledger.nextMove == .init(receiver: 2, count: 3))
      let leaving = ledger.release(upTo: 3)
      #expect(leaving == [3, 4, 5] && ledger.served == [0, 1, 2])
      #expect(ledger.nextMove == nil, "not while some are on their way")
      // A map that comes in between changes nothing.
      #expect(Self.take(map, &ledger).isEmpty && ledger[4] == .leaving)
      let gifts = ledger.gifts
      ledger.finishLeaving(leaving)
      // This one was asked for before, and may be as old as that.
      let tenures = [UInt32](repeating: 1, count: 6)
      #expect(ledger.take(map, as: 1, tenures: tenures, gifts: gifts) == nil)
      #expect(ledger[4] == .none && ledger.map == -1)
      let next = Self.map(2, (1, 1, 0), (1, 1, 0), (1, 1, 0), (2, 2, 0), (2, 2, 0), (1, 1, 0))
      #expect(Self.take(next, &ledger).isEmpty)
      #expect(ledger[4] == .none && ledger[5] == .wanted)
    }

    @Test func `a node that drains gives what it serves, then what is parked, and is empty`() {
      var ledger = SliceLedger(parkAfter: 3)
      ledger.members = Self.members(2)
      _ = Self.take(Self.map(1, (1, 1, 0), (1, 1, 3), (2, 1, 0)), &ledger)
      Self.serve(&ledger)
      #expect(ledger.nextMove == nil && !ledger.isDraining)
      ledger.members[1]?.isDraining = true
      #expect(ledger.isDraining && !ledger.isDrained)
      #expect(ledger.nextMove?.receiver == 2)
      #expect(ledger.release(upTo: 1) == [0])
      ledger.finishLeaving([0])
      _ = Self.take(Self.map(2, (2, 2, 0), (1, 1, 3), (2, 1, 0)), &ledger)
      #expect(ledger.release(upTo: 8) == [1])
      #expect(!ledger.isDrained)
      ledger.finishLeaving([1])
      #expect(!ledger.isDrained, "the map tells")
      _ = Self.take(Self.map(3, (2, 2, 0), (2, 2, 3), (2, 1, 0)), &ledger)
      #expect(ledger.isDrained)
    }

    @Test func `a dead node serves nothing`() {
      var ledger = SliceLedger(parkAfter: 3)
      _ = Self.take(Self.map(1, (1, 1, 0), (2, 1, 0)), &ledger)
      Self.serve(&ledger)
      ledger.giveUpAll()
      #expect(ledger.served.isEmpty)
      #expect(ledger.node == nil)
      #expect(ledger.counts.served == 0 && ledger.counts.waiting == 0)
    }

    @Test func `a node takes its share of what no node owns, and waits for others at a cold start`()
    {
      var ledger = SliceLedger(parkAfter: 3)
      _ = Self.take(
        ClusterMap(number: 1, fence: 1, slices: .init(repeating: .init(), count: 8)), &ledger)
      ledger.members = Self.members(2)
      #expect(ledger.claim(isSettled: false) == 0)
      #expect(ledger.claim(isSettled: true) == 4)
      ledger.members = Self.members(3)
      #expect(ledger.claim(isSettled: true) == 3)
      var map = ClusterMap(number: 2, fence: 1, slices: .init(repeating: .init(), count: 8))
      for slice in 0..<6 { map.slices[slice].owner = slice < 3 ? 1 : 2 }
      _ = Self.take(map, &ledger)
      // Some have owners: the others are there.
      ledger.members = Self.members(2)
      #expect(ledger.claim(isSettled: false) == 1)
      ledger.members = Self.members(1)
      #expect(ledger.claim(isSettled: false) == 2)
      ledger.members = Self.members(4)
      #expect(ledger.claim(isSettled: true) == 0)
    }
  }
#endif
