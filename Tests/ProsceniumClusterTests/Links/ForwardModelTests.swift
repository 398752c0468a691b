// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  /// Items that one node sends to others while slices move, connections break and nodes die.
  @Suite struct ForwardModelTests {
    /// An item: the number of its slice, and its place in the order of that.
    struct Item: Sendable, Hashable {
      let slice: Int
      let place: Int
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `each item is taken once and in order, or told to be lost`(seed: UInt64) throws {
      var world = ForwardWorld(seed: seed)
      for _ in 0..<2_000 { try world.step() }
      try world.settle()
      #expect(world.findings.isEmpty)
    }

    @Test func `the seeds reach what they are about`() throws {
      var (repeated, refused, unknown, own, atOnce) = (0, 0, 0, 0, 0)
      for seed in 1...100 as ClosedRange<UInt64> {
        var world = ForwardWorld(seed: seed)
        for _ in 0..<2_000 { try world.step() }
        try world.settle()
        repeated += world.repeated
        refused += world.refused
        unknown += world.unknown.count
        own += world.takenOwn
        atOnce += world.takenAtOnce
      }
      #expect(repeated > 1_000)
      #expect(refused > 1_000)
      #expect(unknown > 100)
      #expect(own > 100)
      #expect(atOnce > 100)
    }
  }

  /// One sender, its receivers, and what is on the lines between them.
  struct ForwardWorld {
    typealias Item = ForwardModelTests.Item

    /// A node that takes items.
    private struct Receiver {
      var inbox = LinkInbox()
      var served: Set<Int> = []
      /// What the sender has written, and the receiver not read.
      var wire: [LinkWindow<Item>.Batch] = []
      /// What the receiver has written, and the sender not read.
      var answers: [Told] = []
      var isConnected = false
    }

    private enum Told {
      case answer(LinkAnswer)
      case served([Int])
    }

    private static let slices = 6
    /// The sender's own number.
    private static let own: Int32 = 1

    private var random: SplitMix64
    private var ledger = ForwardLedger<Item>(
      own: own, slices: slices, limit: .init(count: 40, size: 4_000))
    private var receivers: [Int32: Receiver] = [2: Receiver(), 3: Receiver(), 4: Receiver()]
    private var nextNode: Int32 = 5
    /// Who owns what, in truth.
    private var owners: [Int32?] = (0..<slices).map { Int32($0 % 3 + 2) }
    private var earlier = [Int32?](repeating: nil, count: slices)
    private var sent = [Int](repeating: 0, count: slices)
    /// The place of the last item of each slice that was taken, by any node.
    private var last = [Int](repeating: 0, count: slices)
    private var taken: Set<Item> = []
    private var lost: Set<Item> = []
    private(set) var unknown: Set<Item> = []
    private(set) var (repeated, refused, takenOwn, takenAtOnce) = (0, 0, 0, 0)
    private(set) var findings: [String] = []

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
    }

    mutating func step() throws {
      switch random.number(below: 100) {
      case 0..<40: send()
      case 40..<55: if let node = drawNode() { write(node) }
      case 55..<70: if let node = drawNode() { try read(node) }
      case 70..<80: if let node = drawNode() { try readAnswer(node) }
      case 80..<84: if let node = drawNode() { try connect(node) }
      case 84..<87: if let node = drawNode() { breakLine(node) }
      case 87..<91: move(Int(random.number(below: Self.slices)))
      case 91..<94: learn()
      case 94..<96: deliverOwn(all: false)
      case 96..<99: serve()
      default: if random.number(below: 4) == 0 { kill() }
      }
    }

    /// Lets everything go its way until nothing is left.
    mutating func settle() throws {
      for _ in 0..<400 {
        learn()
        deliverOwn(all: true)
        for node in receivers.keys.sorted() {
          try connect(node)
          repeat {
            serve()
            write(node)
            try read(node)
            while !receivers[node]!.answers.isEmpty { try readAnswer(node) }
          } while !receivers[node]!.wire.isEmpty || ledger.count(to: node) > 0
        }
      }
      let all = Set(
        (0..<Self.slices).flatMap { slice in
          (0..<sent[slice]).map { Item(slice: slice, place: $0 + 1) }
        })
      let left = all.subtracting(taken).subtracting(lost).subtracting(unknown)
      if !left.isEmpty { findings.append("left over: \(left)") }
      if ledger.kept > 0 { findings.append("\(ledger.kept) are kept in the end") }
    }

    private mutating func drawNode() -> Int32? {
      let nodes = receivers.keys.sorted()
      return nodes.isEmpty ? nil : nodes[random.number(below: nodes.count)]
    }

    // MARK: - The sender

    private mutating func send() {
      let slice = random.number(below: Self.slices)
      let item = Item(slice: slice, place: sent[slice] + 1)
      if earlier[slice] == Self.own, !ledger.isHeld(slice) {
        sent[slice] += 1
        takenAtOnce += 1
        return take(item)
      }
      if ledger.send(item, of: slice, size: 1 + random.number(below: 100)) != .full {
        sent[slice] += 1
      }
    }

    private mutating func write(_ node: Int32) {
      guard receivers[node]!.isConnected else { return }
      let batch = ledger.nextBatch(to: node, upTo: 1 + random.number(below: 8))
      if let batch { receivers[node]!.wire.append(batch) }
    }

    private mutating func readAnswer(_ node: Int32) throws {
      guard !receivers[node]!.answers.isEmpty else { return }
      switch receivers[node]!.answers.removeFirst() {
      case .answer(let answer): note(try ledger.take(answer, from: node).losses)
      case .served(let slices): _ = ledger.note(served: slices, by: node)
      }
    }

    private mutating func note(_ losses: [ForwardLedger<Item>.Loss]) {
      for loss in losses {
        if taken.contains(loss.item) { findings.append("\(loss.item) was taken, and told lost") }
        lost.insert(loss.item)
      }
    }

    /// The sender reads the map.
    private mutating func learn() {
      // A map can have been read before a death was known.
      if random.number(below: 4) == 0 { _ = ledger.take(owners: earlier) }
      _ = ledger.take(owners: owners)
      earlier = owners
    }

    /// Delivers what was kept and is for the sender itself by now, or the first of it.
    private mutating func deliverOwn(all: Bool) {
      for slice in ledger.ownReady {
        var entries = ledger.takeOwn(slice)
        let count = all ? entries.count : random.number(below: entries.count + 1)
        for entry in entries[..<count] {
          take(entry.item)
          // What comes now is behind the others.
          if !all, random.number(below: 4) == 0 { send() }
        }
        takenOwn += count
        entries.removeFirst(count)
        _ = ledger.finishOwn(slice, left: entries)
      }
    }

    // MARK: - Receivers

    private mutating func take(_ item: Item) {
      if !taken.insert(item).inserted { findings.append("\(item) was taken twice") }
      if item.place <= last[item.slice] { findings.append("\(item) was overtaken") }
      last[item.slice] = item.place
    }

    private mutating func read(_ node: Int32) throws {
      guard !receivers[node]!.wire.isEmpty else { return }
      let batch = receivers[node]!.wire.removeFirst()
      let known = try receivers[node]!.inbox.begin(
        first: batch.first, count: batch.entries.count, confirmed: batch.confirmed)
      repeated += known
      for entry in batch.entries[known...] {
        let slice = entry.item.slice
        var refusal: LinkRefusal?
        if !receivers[node]!.served.contains(slice) {
          refusal = .notServed
        } else if random.number(below: 50) == 0 {
          refusal = .notOpen
        }
        refusal = receivers[node]!.inbox.receive(
          of: slice, restarts: entry.restarts, refusal: refusal)
        if refusal == nil { take(entry.item) } else { refused += 1 }
      }
      if let answer = receivers[node]!.inbox.answer(), receivers[node]!.isConnected {
        receivers[node]!.answers.append(.answer(answer))
      }
    }

    /// Owners serve what they own.
    private mutating func serve() {
      for (slice, owner) in owners.enumerated() {
        guard let owner, receivers[owner]?.served.insert(slice).inserted == true else { continue }
        if receivers[owner]!.inbox.isAwaited(slice), receivers[owner]!.isConnected {
          receivers[owner]!.answers.append(.served([slice]))
        }
      }
    }

    private mutating func move(_ slice: Int) {
      guard let owner = owners[slice] else { return }
      receivers[owner]?.served.remove(slice)
      owners[slice] = random.number(below: 8) == 0 ? Self.own : drawNode()
    }

    // MARK: - Lines

    private mutating func connect(_ node: Int32) throws {
      guard !receivers[node]!.isConnected else { return }
      receivers[node]!.isConnected = true
      receivers[node]!.inbox.connect()
      let answer = receivers[node]!.inbox.answer() ?? LinkAnswer(last: .max)
      note(try ledger.connect(node, answer))
    }

    /// What is on the line is lost, or is still read by the receiver and not answered any more.
    private mutating func breakLine(_ node: Int32) {
      receivers[node]!.isConnected = false
      if random.number(below: 2) == 0 { receivers[node]!.wire = [] }
      receivers[node]!.answers = []
      ledger.disconnect(node)
    }

    private mutating func kill() {
      guard receivers.count > 1, let victim = drawNode() else { return }
      receivers[victim] = nil
      let told = ledger.end(victim).unknown
      unknown.formUnion(told)
      for item in told where last[item.slice] < item.place { last[item.slice] = item.place }
      receivers[nextNode] = Receiver()
      nextNode += 1
      for slice in owners.indices where owners[slice] == victim { owners[slice] = drawNode() }
    }
  }
#endif
