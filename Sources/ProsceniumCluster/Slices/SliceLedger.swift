// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What a node knows of each slice, and decides which ones it takes up and gives up.
  package struct SliceLedger: Sendable {
    /// What the node does for a slice.
    package enum Service: Sendable, Equatable {
      case none
      /// It is the node's, and not served yet.
      case wanted
      /// Its rows are being read.
      case adopting
      case served
      /// Its sessions go, since it is about to be given to another node.
      case leaving
      /// Its owners died one after the other: it is the node's, and not served until an operator
      /// releases it.
      case parked
    }

    /// The time in which a slice is the node's without a break.
    package struct Tenure: Sendable, Equatable {
      package let epoch: UInt32
      /// Whether the owner before has given the slice away, and has not ended.
      package let isHandedOver: Bool
      /// Differs from that of the tenure before, be it of the same epoch: the database can go back.
      package let number: UInt32

      package init(epoch: UInt32, isHandedOver: Bool = false, number: UInt32) {
        self.epoch = epoch
        self.isHandedOver = isHandedOver
        self.number = number
      }
    }

    private struct Slice: Sendable {
      var place = ClusterMap.Slice()
      var service = Service.none
      /// The tenure in which it is served or adopted.
      var tenure: Tenure?
      /// When it began to be served.
      var since = Duration.zero
    }

    /// How many owners of a slice may die until it is parked.
    private let parkAfter: Int
    private var slices: [Slice] = []
    /// Slices that were asked for, which come first.
    private var asked: [Int] = []
    package private(set) var map: Int64 = -1
    /// Counts what the node has given away: a map that was read before that is of no account.
    package private(set) var gifts = 0
    /// The number of the tenure of each slice, by the store's count.
    package private(set) var tenures: [UInt32] = []
    package private(set) var node: Int32?
    /// The nodes that are not dead.
    package var members: [Int32: ClusterMember] = [:]
    /// The slices that new sessions are made in.
    package private(set) var served: [Int] = []

    package init(parkAfter: Int) {
      self.parkAfter = parkAfter
    }

    package var count: Int { slices.count }

    /// What the node does for a slice; before a map was read, it does nothing for any.
    package subscript(slice: Int) -> Service {
      slices.indices.contains(slice) ? slices[slice].service : .none
    }

    /// The tenure in which a slice has scenes: they connect while it is adopted, and go while it is
    /// leaving.
    package func tenure(of slice: Int) -> Tenure? {
      switch self[slice] {
      case .served, .adopting, .leaving: slices[slice].tenure
      case .none, .wanted, .parked: nil
      }
    }

    /// The number of a slice's owner, if it has one.
    package func owner(_ slice: Int) -> Int32? {
      slices.indices.contains(slice) ? slices[slice].place.owner : nil
    }

    /// How many slices of a node there are of each kind.
    package struct Counts: Sendable, Equatable {
      package var served = 0
      package var parked = 0
      /// Still to be served.
      package var waiting = 0
    }

    /// How many slices are served, parked, and still to be served.
    package var counts: Counts {
      var counts = Counts()
      for slice in slices {
        switch slice.service {
        case .none, .leaving: break
        case .wanted, .adopting: counts.waiting += 1
        case .served: counts.served += 1
        case .parked: counts.parked += 1
        }
      }
      return counts
    }

    /// How many slices no node owns.
    package var freeCount: Int { slices.count { $0.place.owner == nil } }

    /// How many slices the node owns.
    package var ownCount: Int { slices.count { $0.place.owner == node } }

    /// How many of the slices that no node owns this one is to take, so that it has its share.
    ///
    /// - Parameter isSettled: Whether the nodes have been the same for some time. At a cold start
    ///   the first one waits for the others.
    /// - Returns: How many; 0 if it has its share, or there are none.
    package func claim(isSettled: Bool) -> Int {
      let free = freeCount
      guard let node, free > 0, free < count || isSettled else { return 0 }
      return min(free, max(0, balance.share(of: node) - ownCount))
    }

    private var balance: SliceBalance {
      let owned = slices.reduce(into: [Int32: Int]()) { counts, slice in
        if let owner = slice.place.owner { counts[owner, default: 0] += 1 }
      }
      return SliceBalance(
        owned, builds: members.mapValues(\.build),
        draining: Set(members.values.lazy.filter(\.isDraining).map(\.number)), of: count)
    }

    /// Whether the node gives its slices away for good.
    package var isDraining: Bool { node.flatMap { members[$0] }?.isDraining ?? false }

    /// Whether the node has given everything away.
    package var isDrained: Bool { isDraining && map >= 0 && count > 0 && ownCount == 0 }

    /// Takes a map as the truth: what is the node's no longer, or again, is served no more.
    ///
    /// What it is to serve is noted by ``takeUp()``, when that has been dropped.
    ///
    /// - Parameters:
    ///   - map: The map.
    ///   - node: The number of this node.
    ///   - tenures: The number of the tenure of each slice.
    ///   - gifts: How often the node had given something away when the map was asked for.
    /// - Returns: The slices whose sessions are to be dropped: they are another node's, or have
    ///   been in the meantime. `nil` if the node has given something away since: the map is too
    ///   old.
    package mutating func take(
      _ map: ClusterMap, as node: Int32, tenures: [UInt32], gifts: Int
    ) -> Set<Int>? {
      if gifts != self.gifts { return nil }
      self.node = node
      self.map = map.number
      self.tenures = tenures
      if slices.count != map.slices.count {
        slices = [Slice](repeating: Slice(), count: map.slices.count)
      }
      var dropped: Set<Int> = []
      for (index, place) in map.slices.enumerated() {
        var slice = slices[index]
        slice.place = place
        let isServed = slice.service == .served || slice.service == .adopting
        if place.owner != node || isServed && tenure(of: index, place) != slice.tenure {
          if isServed { dropped.insert(index) }
          // What is leaving is so until it has gone.
          if slice.service != .leaving { slice.service = .none }
        }
        slices[index] = slice
      }
      noteServed()
      return dropped
    }

    /// Notes which of the node's slices are to be served: nothing of them is left from before.
    package mutating func takeUp() {
      for index in slices.indices where slices[index].place.owner == node {
        switch slices[index].service {
        case .none, .parked, .wanted:
          slices[index].service = slices[index].place.deaths >= parkAfter ? .parked : .wanted
        case .adopting, .served, .leaving: break
        }
      }
    }

    private func tenure(of slice: Int, _ place: ClusterMap.Slice) -> Tenure {
      Tenure(epoch: place.epoch, isHandedOver: place.isHandedOver, number: tenures[slice])
    }

    /// Gives everything up: the node is dead.
    package mutating func giveUpAll() {
      for index in slices.indices { slices[index].service = .none }
      members = [:]
      node = nil
      map = -1
      noteServed()
    }

    /// The next slices to adopt, those first that were asked for.
    ///
    /// - Parameter limit: How many at most.
    /// - Returns: The slices, each with the tenure in which it is to be served.
    package mutating func nextWanted(_ limit: Int) -> [Int: Tenure] {
      var next: [Int: Tenure] = [:]
      let first = asked
      asked = []
      for index in first + Array(slices.indices) where slices[index].service == .wanted {
        if next.count == limit { break }
        slices[index].service = .adopting
        slices[index].tenure = tenure(of: index, slices[index].place)
        next[index] = slices[index].tenure
      }
      return next
    }

    /// Notes that slices are served, or that they cannot be for now.
    ///
    /// - Parameters:
    ///   - adopted: The slices with the tenures in which they were adopted.
    ///   - isDone: Whether their sessions are there.
    ///   - now: When that is.
    /// - Returns: The slices that were lost on the way: their sessions are to be dropped.
    package mutating func finish(
      _ adopted: [Int: Tenure], isDone: Bool, _ now: Duration
    ) -> Set<Int> {
      var lost: Set<Int> = []
      for (index, tenure) in adopted {
        guard slices[index].service == .adopting, slices[index].tenure == tenure else {
          lost.insert(index)
          continue
        }
        slices[index].service = isDone ? .served : .wanted
        slices[index].since = now
      }
      noteServed()
      return isDone ? lost : []
    }

    /// Puts a slice that is to be served before the others.
    package mutating func ask(for slice: Int) {
      if self[slice] == .wanted, asked.count < slices.count { asked.append(slice) }
    }

    /// What the node is to give to another one now, so that each has its share.
    package var nextMove: SliceBalance.Move? {
      guard let node, map >= 0, counts.waiting == 0,
        !slices.contains(where: { $0.service == .leaving })
      else { return nil }
      return balance.move(of: node)
    }

    /// Takes slices out of service, since they are about to be given away: those that are served
    /// first, then those that are parked.
    ///
    /// - Parameter count: How many at most.
    /// - Returns: The slices.
    package mutating func release(upTo count: Int) -> Set<Int> {
      let leaving = Set((slices.indices.filter { self[$0] == .parked } + served).suffix(count))
      for index in leaving { slices[index].service = .leaving }
      noteServed()
      return leaving
    }

    /// The epochs that slices have as soon as another node owns them.
    package func nextEpochs(of leaving: Set<Int>) -> [Int: UInt32] {
      Dictionary(
        uniqueKeysWithValues: leaving.map { ($0, slices[$0].place.epoch &+ 1) })
    }

    /// Notes that slices were given away, or could not be: the next map tells whose they are.
    package mutating func finishLeaving(_ leaving: Set<Int>) {
      for index in leaving where slices[index].service == .leaving { slices[index].service = .none }
      gifts += 1
      map = -1
    }

    /// The slices with deaths that were served for a time without another one.
    package func calm(since time: Duration, _ now: Duration) -> [Int] {
      served.filter { slices[$0].place.deaths > 0 && now - slices[$0].since >= time }
    }

    private mutating func noteServed() {
      served = slices.indices.filter { slices[$0].service == .served }
    }
  }
#endif
