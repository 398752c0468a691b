// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// What a node has for sessions that other nodes serve, and when it may be sent to which.
  ///
  /// The items of a slice are taken once and in order, while slices move and connections break. An
  /// item that an owner does not take is kept, with all that follow in its slice, until nothing of
  /// the slice is on its way any more and there is an owner to begin with again. What a dead node
  /// may have taken is never sent again.
  package struct ForwardLedger<Item: Sendable>: Sendable {
    package typealias Entry = LinkWindow<Item>.Entry

    /// What became of an item.
    package enum Sending: Sendable, Equatable {
      /// It waits to be written to the connection with a node.
      case queued(Int32)
      /// It waits until there is an owner to send it to.
      case kept
      /// There is no room for it.
      case full
    }

    /// An item that is lost, and why.
    package struct Loss: Sendable {
      package let item: Item
      package let refusal: LinkRefusal
    }

    /// How much there may be on its way to each node, and how much may be kept for all slices.
    package struct Limit: Sendable {
      package var count = 65_536
      package var size = 16 << 20

      package init(count: Int = 65_536, size: Int = 16 << 20) {
        (self.count, self.size) = (count, size)
      }
    }

    private struct Slice: Sendable {
      var owner: Int32?
      /// The node to which items are on their way.
      var node: Int32?
      var onTheWay = 0
      /// What was not taken, and comes before what is ``kept``.
      var returned = Queue<Entry>()
      /// What came while nothing could be sent.
      var kept = Queue<Entry>()
      /// The owner that does not serve it yet.
      var refuser: Int32?
      /// Whether the node itself delivers what was kept.
      var isDelivering = false

      var isKeeping: Bool { !returned.isEmpty || !kept.isEmpty }
    }

    private let limit: Limit
    private let own: Int32
    private var slices: [Slice]
    private var nodes: [Int32: LinkWindow<Item>] = [:]
    /// Nodes that a map of before can still name.
    private var dead: Set<Int32> = []
    /// How often each node was taken for dead.
    private var ends: [Int32: UInt32] = [:]
    private var (keptCount, keptSize) = (0, 0)
    /// Slices of the node itself of which items have come that are not delivered yet: what comes
    /// now is behind them.
    private var held: Set<Int> = []

    /// - Parameters:
    ///   - own: The number of the node itself.
    ///   - count: How many slices there are.
    ///   - limit: How much there may be.
    package init(own: Int32, slices count: Int, limit: Limit = Limit()) {
      self.own = own
      self.limit = limit
      slices = [Slice](repeating: Slice(), count: count)
    }

    // MARK: - Sending

    /// Adds an item of a slice that another node serves, or none at this moment.
    package mutating func send(_ item: Item, of slice: Int, size: Int) -> Sending {
      let entry = Entry(item: item, slice: slice, size: size, restarts: false)
      guard let owner = receiver(of: slice) else {
        guard keptCount < limit.count, keptSize + size <= limit.size else { return .full }
        slices[slice].kept.append(entry)
        noteKept(entry)
        noteHeld(slice)
        return .kept
      }
      guard hasRoom(owner, size) else { return .full }
      append(entry, to: owner)
      return .queued(owner)
    }

    /// Adds an item for a node itself, unless it is dead.
    package mutating func send(_ item: Item, to node: Int32, size: Int) {
      if dead.contains(node) { return }
      append(Entry(item: item, slice: nil, size: size, restarts: false), to: node)
    }

    /// The node to which an item can go that has just come.
    private func receiver(of slice: Int) -> Int32? {
      let slice = slices[slice]
      guard let owner = slice.owner, owner != own, !slice.isKeeping, !slice.isDelivering,
        slice.onTheWay == 0 || slice.node == owner
      else { return nil }
      return owner
    }

    /// Whether an item of a slice would be taken, if it is no larger than the largest message, or
    /// is not to be kept.
    package func hasRoom(for slice: Int) -> Bool {
      let size = 1 << 17
      if slices[slice].owner == own, !isHeld(slice) { return true }
      guard let owner = receiver(of: slice) else {
        return keptCount < limit.count && keptSize + size <= limit.size
      }
      return hasRoom(owner, size)
    }

    /// Whether there is room for an item on the way to a node: twice as much for a reply, with
    /// those that are still owed.
    package func hasRoom(_ node: Int32, _ size: Int, forReplyBesides owed: Int? = nil) -> Bool {
      let (window, factor) = (nodes[node] ?? LinkWindow(), owed == nil ? 1 : 2)
      return window.count + (owed ?? 0) < factor * limit.count
        && window.size + size <= factor * limit.size
    }

    private mutating func append(_ entry: Entry, to owner: Int32) {
      nodes[owner, default: LinkWindow()].append(entry)
      if let slice = entry.slice {
        slices[slice].node = owner
        slices[slice].onTheWay += 1
      }
    }

    private mutating func noteKept(_ entry: Entry) {
      keptCount += 1
      keptSize += entry.size
    }

    // MARK: - Owners

    /// Believes a new map.
    ///
    /// - Parameter owners: The owner of each slice; none if it is about to leave it.
    /// - Returns: The nodes to which something can be written now.
    package mutating func take(owners: [Int32?]) -> Set<Int32> {
      var ready: Set<Int32> = []
      for (slice, named) in owners.enumerated() {
        let owner = named.flatMap { dead.contains($0) ? nil : $0 }
        if slices[slice].owner == owner { continue }
        slices[slice].owner = owner
        slices[slice].refuser = nil
        noteHeld(slice)
        if let node = beginAgain(slice) { ready.insert(node) }
      }
      return ready
    }

    /// Takes note that a node serves slices now of which it has refused items.
    ///
    /// - Returns: Whether something can be written to it now.
    package mutating func note(served: [Int], by node: Int32) -> Bool {
      var isReady = false
      for slice in served where slices.indices.contains(slice) && slices[slice].refuser == node {
        slices[slice].refuser = nil
        if beginAgain(slice) != nil { isReady = true }
      }
      return isReady
    }

    /// Sends what is kept of a slice, if nothing of it is on its way and its owner may serve it.
    private mutating func beginAgain(_ index: Int) -> Int32? {
      let slice = slices[index]
      guard slice.onTheWay == 0, slice.isKeeping, !slice.isDelivering,
        let owner = slice.owner, owner != own, slice.refuser == nil
      else { return nil }
      for (number, var entry) in takeKept(index).enumerated() {
        entry.restarts = number == 0
        append(entry, to: owner)
      }
      return owner
    }

    private mutating func takeKept(_ slice: Int) -> [Entry] {
      let kept = slices[slice].returned.elements + slices[slice].kept.elements
      (slices[slice].returned, slices[slice].kept) = (Queue(), Queue())
      keptCount -= kept.count
      keptSize -= kept.reduce(0) { $0 + $1.size }
      return kept
    }

    // MARK: - Slices of the node itself

    private mutating func noteHeld(_ index: Int) {
      let slice = slices[index]
      if slice.owner == own, slice.isKeeping || slice.isDelivering || slice.onTheWay > 0 {
        held.insert(index)
      } else {
        held.remove(index)
      }
    }

    /// Whether any slice of the node itself ``isHeld(_:)``.
    package var holdsOwn: Bool { !held.isEmpty }

    /// Whether items of a slice of the node itself have come that are not delivered yet.
    package func isHeld(_ slice: Int) -> Bool { held.contains(slice) }

    /// The slices of the node itself of which something can be delivered: nothing is on its way to
    /// another node, which can refuse it.
    package var ownReady: [Int] {
      held.filter { slices[$0].isKeeping && slices[$0].onTheWay == 0 && !slices[$0].isDelivering }
        .sorted()
    }

    /// Takes what is kept of a slice of ``ownReady``, in order; the slice is held until
    /// ``finishOwn(_:left:)``.
    package mutating func takeOwn(_ slice: Int) -> [Entry] {
      slices[slice].isDelivering = true
      return takeKept(slice)
    }

    /// Takes note that what was taken was delivered.
    ///
    /// - Parameters:
    ///   - slice: The slice.
    ///   - left: What was not, in order, since the slice is not served any more.
    /// - Returns: The node to which something can be written now.
    package mutating func finishOwn(_ slice: Int, left: [Entry]) -> Int32? {
      slices[slice].isDelivering = false
      for entry in left { keepReturned(entry, slice) }
      noteHeld(slice)
      return beginAgain(slice)
    }

    // MARK: - Connections

    /// Takes the next items to be written to the connection with a node.
    package mutating func nextBatch(
      to node: Int32, upTo count: Int = 1_024, _ size: Int = 1 << 18
    ) -> LinkWindow<Item>.Batch? {
      nodes[node]?.nextBatch(upTo: count, size)
    }

    /// Begins with a new connection with a node, by what that has received.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - answer: What it has received.
    ///   - noteTaken: Is given each item that it has taken.
    /// - Returns: What is lost.
    /// - Throws: `LinkFault` if that cannot be.
    package mutating func connect(
      _ node: Int32, _ answer: LinkAnswer, noteTaken: (Item) -> Void = { _ in }
    ) throws(LinkFault) -> [Loss] {
      let losses = try take(answer, from: node, noteTaken: noteTaken).losses
      nodes[node, default: LinkWindow()].connect()
      // What it told of slices that it serves since may be lost with the connection.
      for slice in slices.indices where slices[slice].refuser == node {
        slices[slice].refuser = nil
        _ = beginAgain(slice)
      }
      return losses
    }

    /// Takes note that the connection with a node is broken.
    package mutating func disconnect(_ node: Int32) {
      nodes[node]?.disconnect()
    }

    /// Takes out what a node has answered.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - node: The node.
    ///   - noteTaken: Is given each item that it has taken.
    /// - Returns: What is lost, and the nodes to which something can be written now.
    /// - Throws: `LinkFault` for an answer that cannot be.
    package mutating func take(
      _ answer: LinkAnswer, from node: Int32, noteTaken: (Item) -> Void = { _ in }
    ) throws(LinkFault) -> (losses: [Loss], ready: Set<Int32>) {
      guard var window = nodes.removeValue(forKey: node) else {
        guard answer.last == 0 else {
          throw LinkFault("expected an answer up to 0, found \(answer.last)")
        }
        return ([], [])
      }
      var losses: [Loss] = []
      var settled: Set<Int> = []
      let result = Result { () throws(LinkFault) in
        try window.take(answer) { entry, refusal in
          if refusal == nil { noteTaken(entry.item) }
          if let refusal, !refusal.isForNow {
            losses.append(Loss(item: entry.item, refusal: refusal))
          }
          guard let slice = entry.slice else { return }
          if refusal == .notServed, slices[slice].owner == node { slices[slice].refuser = node }
          if refusal?.isForNow == true { keepReturned(entry, slice) }
          slices[slice].onTheWay -= 1
          guard slices[slice].onTheWay == 0, slices[slice].isKeeping || held.contains(slice) else {
            return
          }
          settled.insert(slice)
        }
      }
      nodes[node] = window
      try result.get()
      var ready: Set<Int32> = []
      for slice in settled.sorted() {
        noteHeld(slice)
        if let node = beginAgain(slice) { ready.insert(node) }
      }
      return (losses, ready)
    }

    private mutating func keepReturned(_ entry: Entry, _ slice: Int) {
      slices[slice].returned.append(entry)
      noteKept(entry)
    }

    /// Takes note that a node is dead, or has said goodbye.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - saysGoodbye: Whether it has taken nothing that it has not answered.
    /// - Returns: The items of which it is unknown whether it has taken them, in order; those for
    ///   the node itself that it has not taken; and the nodes to which something can be written.
    package mutating func end(_ node: Int32, saysGoodbye: Bool = false) -> (
      unknown: [Item], untaken: [Item], ready: Set<Int32>
    ) {
      dead.insert(node)
      ends[node, default: 0] += 1
      var window = nodes.removeValue(forKey: node) ?? LinkWindow()
      let (written, unwritten) = window.end()
      var (unknown, untaken): ([Item], [Item]) = ([], [])
      for (number, entry) in (written + unwritten).enumerated() {
        var isUnknown = number < written.count && !saysGoodbye
        if let slice = entry.slice {
          slices[slice].onTheWay -= 1
          // After one that was not taken, none of the slice was.
          isUnknown = isUnknown && slices[slice].returned.isEmpty
          if !isUnknown { keepReturned(entry, slice) }
        } else if !isUnknown {
          untaken.append(entry.item)
        }
        if isUnknown { unknown.append(entry.item) }
      }
      var ready: Set<Int32> = []
      for slice in slices.indices {
        // The next map names another one.
        if slices[slice].owner == node { slices[slice].owner = nil }
        noteHeld(slice)
        if slices[slice].node == node, let next = beginAgain(slice) { ready.insert(next) }
      }
      return (unknown, untaken, ready)
    }

    /// Takes note that a node lives: a database that goes back undoes burials.
    package mutating func begin(_ node: Int32) {
      dead.remove(node)
    }

    /// How often a node was taken for dead.
    package func ends(of node: Int32) -> UInt32 { ends[node] ?? 0 }

    /// Empties the ledger: the node itself is dead.
    ///
    /// - Returns: All items of slices, in no order.
    package mutating func endAll() -> [Item] {
      var all: [Item] = []
      for node in nodes.keys.sorted() {
        guard var window = nodes.removeValue(forKey: node) else { continue }
        let (written, unwritten) = window.end()
        all += (written + unwritten).filter { $0.slice != nil }.map(\.item)
      }
      for slice in slices.indices { all += takeKept(slice).map(\.item) }
      self = ForwardLedger(own: own, slices: slices.count, limit: limit)
      return all
    }

    /// Whether nothing is on its way to another node, or waits to be.
    package var isSettled: Bool {
      nodes.values.allSatisfy { $0.count == 0 }
        && slices.allSatisfy { !$0.isKeeping || $0.owner == own }
    }

    /// How many items are on their way to a node.
    package func count(to node: Int32) -> Int { nodes[node]?.count ?? 0 }

    /// How many items have come that no node has taken.
    package var waitingCount: Int { nodes.values.reduce(keptCount) { $0 + $1.count } }
    /// How many items are kept.
    package var kept: Int { keptCount }
  }
#endif
