// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumStoring

  /// What the database has, and what its functions do, each of them in one step.
  ///
  /// It is a value: a copy is what the database was at some time, and can be gone back to.
  struct SimulatedDatabase: Sendable {
    /// A node's row.
    struct Node: Sendable {
      var description: NodeDescription
      /// Tells it from one that had its number before the database went back.
      var run: Int64
      var isDead = false
      var isDraining = false
      var fence: Int32 = 1
      var beat: Int64 = 0
    }

    /// A session's row with its state.
    struct Kept: Sendable {
      var row: SessionRow
      var version: UInt64 = 0
      var sealed: [UInt8]?
    }

    let sliceBits: Int
    var nodes: [Int32: Node] = [:]
    var lastNode: Int32 = 0
    var lastRun: Int64 = 0
    var slices: [ClusterMap.Slice]
    var rows: [SessionIdentifier: Kept] = [:]
    /// Grows with each change of an owner, by steps that do not come again.
    var map: Int64 = 0
    /// The last mark that was given; what goes back gives none again.
    var lastMark: Int64 = 0
    var runningTime: Int64 = 0
    var faults: Set<PlantedFault> = []
    /// What must not be.
    var findings: [String] = []

    init(sliceBits: Int) {
      self.sliceBits = sliceBits
      slices = [ClusterMap.Slice](repeating: ClusterMap.Slice(), count: 1 << sliceBits)
    }

    func slice(of session: SessionIdentifier) -> Int {
      Int(session.high >> UInt64(64 - sliceBits))
    }

    /// The node if it lives.
    private func living(_ node: Int32) -> Node? {
      nodes[node].flatMap { $0.isDead ? nil : $0 }
    }

    /// The node if it lives and is the process that asks.
    private func living(_ node: Int32, _ run: Int64) -> Node? {
      living(node).flatMap { $0.run == run || faults.contains(.forgetsRuns) ? $0 : nil }
    }

    private mutating func nextMark() -> Int64 {
      lastMark += 1
      return lastMark
    }

    private mutating func changeMap() {
      var random = SplitMix64(seed: UInt64(nextMark()))
      map += Int64(1 + random.number(below: 1 << 20))
    }

    // MARK: - Nodes

    mutating func join(_ description: NodeDescription) -> (node: Int32, run: Int64) {
      lastNode += 1
      lastRun += 1
      nodes[lastNode] = Node(description: description, run: lastRun)
      return (lastNode, lastRun)
    }

    mutating func beat(as node: Int32, _ run: Int64) -> ClusterBeat? {
      guard living(node, run) != nil else { return nil }
      nodes[node]?.beat += 1
      return nodes[node].map { ClusterBeat(map: map, fence: $0.fence) }
    }

    func members() -> [ClusterMember] {
      nodes.sorted { $0.key < $1.key }.compactMap { number, node in
        node.isDead
          ? nil
          : ClusterMember(
            number: number, name: node.description.name, address: node.description.address,
            link: node.description.link, build: node.description.build, beat: node.beat,
            slices: slices.count { $0.owner == number }, isDraining: node.isDraining)
      }
    }

    func map(for node: Int32, _ run: Int64) -> ClusterMap? {
      living(node, run).map { ClusterMap(number: map, fence: $0.fence, slices: slices) }
    }

    mutating func claim(upTo count: Int, as node: Int32) {
      guard living(node) != nil, keepers.isEmpty || keepers.contains(node) else { return }
      let free = slices.indices.filter { slices[$0].owner == nil }.prefix(count)
      for slice in free {
        slices[slice].owner = node
        slices[slice].epoch += 1
        slices[slice].mark = nextMark()
        slices[slice].isHandedOver = false
      }
      if !free.isEmpty { changeMap() }
    }

    /// The nodes that live and keep their slices.
    private var keepers: [Int32] {
      nodes.filter { !$0.value.isDead && !$0.value.isDraining }.map(\.key)
    }

    /// The nodes that slices are dealt to, in their order.
    func heirs(of victim: Int32, among known: [Int32]) -> [Int32] {
      let living = nodes.filter {
        !$0.value.isDead && $0.key != victim && known.contains($0.key)
      }
      let keepers = living.filter { !$0.value.isDraining }
      return (keepers.isEmpty ? living : keepers).sorted {
        one, other in
        let (left, right) = (owned(by: one.key), owned(by: other.key))
        return (-one.value.description.build, left, one.key)
          < (-other.value.description.build, right, other.key)
      }.map(\.key)
    }

    private func owned(by node: Int32) -> Int { slices.count { $0.owner == node } }

    /// Buries a node, and deals its slices.
    mutating func bury(_ victim: Int32, seen beat: Int64, among heirs: [Int32]) -> Bool {
      guard let node = living(victim), node.beat == beat else { return false }
      nodes[victim]?.isDead = true
      nodes[victim]?.fence += 1
      let lost = slices.indices.filter { slices[$0].owner == victim }
      for (turn, slice) in lost.enumerated() {
        // If none lives, the next one claims them.
        slices[slice].owner = heirs.isEmpty ? nil : heirs[turn % heirs.count]
        if !heirs.isEmpty { slices[slice].epoch += 1 }
        slices[slice].mark = nextMark()
        slices[slice].isHandedOver = false
        if !faults.contains(.forgetsDeaths) { slices[slice].deaths += 1 }
      }
      changeMap()
      return true
    }

    mutating func handOver(_ leaving: [Int], from node: Int32, to receiver: Int32) -> Bool {
      guard keepers.contains(receiver), living(node) != nil,
        leaving.allSatisfy({ slices[$0].owner == node })
      else { return false }
      if !faults.contains(.handsOverWithoutFence) { nodes[node]?.fence += 1 }
      for slice in leaving {
        slices[slice].owner = receiver
        slices[slice].epoch += 1
        slices[slice].mark = nextMark()
        slices[slice].isHandedOver = true
      }
      changeMap()
      return true
    }

    mutating func drain(_ node: Int32) {
      if living(node) != nil { nodes[node]?.isDraining = true }
    }

    mutating func calm(_ calmed: [Int], as node: Int32) {
      let served = calmed.filter { slices[$0].owner == node && slices[$0].deaths > 0 }
      for slice in served { slices[slice].deaths = 0 }
      if !served.isEmpty { changeMap() }
    }

    /// Lets a parked slice be served, as an operator does.
    mutating func release(_ slice: Int) {
      slices[slice].deaths = 0
      changeMap()
    }

    mutating func leave(_ node: Int32, _ run: Int64) {
      guard nodes[node]?.run == run else { return }
      for slice in slices.indices where slices[slice].owner == node { slices[slice].owner = nil }
      changeMap()
      nodes[node] = nil
      for (number, node) in nodes where node.isDead && owned(by: number) == 0 {
        nodes[number] = nil
      }
    }

    /// What a new connection that saves begins with.
    mutating func fenceAgain(_ node: Int32, _ run: Int64) {
      if living(node, run) != nil { nodes[node]?.fence += 1 }
    }

    /// Whether a node may save behind a fence.
    func admits(_ node: Int32, behind fence: Int32) -> Bool {
      living(node)?.fence == fence
    }
  }
#endif
