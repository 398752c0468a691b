// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium

  /// Which other nodes may have sessions for some content, by the hashes of their terms.
  ///
  /// No node that has one is left out; one that has none can be named, since terms can share a
  /// hash. Sessions that are on their way from one node to another are known by the terms that they
  /// had, until their next owner has told its own.
  package struct ContentTerms: Sendable {
    /// Who may have a session for some content.
    package struct Hits: Sendable, Equatable {
      /// Nodes that may, in ascending order.
      package var nodes: [Int32] = []
      /// Whether one may be on its way to a node.
      package var isMoving = false

      package init(nodes: [Int32] = [], isMoving: Bool = false) {
        (self.nodes, self.isMoving) = (nodes, isMoving)
      }
    }

    /// What has departed from this node, and is complete elsewhere.
    package struct Departed: Sendable, Equatable {
      package var terms: [SharedTerm] = []
      package var slices: [Int] = []

      package init() {}

      package var isEmpty: Bool { terms.isEmpty && slices.isEmpty }

      fileprivate mutating func append(_ other: Departed) {
        terms += other.terms
        slices += other.slices
      }
    }

    /// What was told by one node, or was the node's own before it departed.
    private struct Holder: Sendable {
      /// The node; none if it is dead, or the sessions have departed.
      var node: Int32?
      /// The slices that are to be complete elsewhere until the holder's terms are of no account.
      var awaited: Set<Int> = []
      var shapes: [SharedTerm.Shape: Int32] = [:]
      /// Terms of sessions of the node itself that have departed, and their slices.
      var departed = Departed()
      /// Whether more of these can come.
      var isDeparting = false
      var count = 0
    }

    /// Who has told last that all terms of a slice are told.
    private struct Completion: Sendable {
      var epoch: UInt32
      var holder: UInt32
    }

    /// The holder of what the node itself has told.
    private static let own: UInt32 = 1
    /// The holder of slices that are not complete any more, and not yet elsewhere.
    private static let none: UInt32 = 0

    private var table = TermTable()
    private var holders: [UInt32: Holder] = [own: Holder()]
    private var lastHolder = own
    /// The holder of each node that lives, and the node of such a holder.
    private var nodes: [Int32: UInt32] = [:]
    private var living: [UInt32: Int32] = [:]
    private var completions: [Int: Completion] = [:]
    /// How many terms of each shape all holders have.
    private var shapes: [SharedTerm.Shape: Int] = [:]
    /// The shapes of each kind in ascending order, and the holders that no term finds.
    private var sorted = [[SharedTerm.Shape]](repeating: [], count: 2)
    private var unbounded = [[UInt32]](repeating: [], count: 2)
    /// How many entries of the table have holders that are gone.
    private var staleCount = 0
    /// Counts what has changed otherwise than by one more term, or one less.
    package private(set) var version = 0

    package init() {}

    package var count: Int { table.count - staleCount }
    /// How many bytes the terms have.
    package var size: Int { table.size }
    /// How many slices are complete.
    package private(set) var completeCount = 0

    // MARK: - Looking

    /// Looks for nodes with sessions for some content.
    package func look(for identifier: String, _ kind: SharedTerm.Kind) -> Hits {
      // Few, as a rule none or one.
      var found = unbounded[Int(kind.rawValue)]
      SharedTerm.look(for: identifier, sorted[Int(kind.rawValue)]) { hash in
        table.look(for: hash) { if !found.contains($0) { found.append($0) } }
      }
      var hits = Hits()
      for holder in found {
        if let node = living[holder] {
          hits.nodes.append(node)
        } else if holders.index(forKey: holder) != nil {
          hits.isMoving = true
        }
      }
      if hits.nodes.count > 1 { hits.nodes.sort() }
      return hits
    }

    // MARK: - Other nodes

    /// How many terms another node can have.
    package static let limit = 1 << 24

    /// Believes what another node tells.
    ///
    /// - Returns: What has departed from this node and is complete elsewhere.
    /// - Throws: `LinkFault` for counts that no sessions have.
    package mutating func take(
      _ delta: TermDelta, from node: Int32
    ) throws(LinkFault) -> Departed {
      if delta.begins {
        drop(node)
        let number = add(Holder(node: node))
        nodes[node] = number
        living[number] = node
      }
      // What a dead node has told before its death comes too late.
      guard let number = nodes[node] else { return Departed() }
      try takeHashes(of: delta, number)
      for count in delta.shapes {
        let (after, isTooLarge) = (holders[number]?.shapes[count.shape] ?? 0)
          .addingReportingOverflow(count.difference)
        guard !isTooLarge, after >= 0 else {
          throw LinkFault("expected a number of terms that can be, found \(count.difference) more")
        }
        note(count.shape, count.difference, number)
      }
      for slice in delta.gone where completions[slice]?.holder == number { noteGone(slice) }
      return complete(delta.complete, by: number)
    }

    private mutating func takeHashes(
      of delta: TermDelta, _ number: UInt32
    ) throws(LinkFault) {
      var difference = 0
      defer { holders[number]?.count += difference }
      guard (holders[number]?.count ?? 0) + delta.entered.count <= Self.limit else {
        throw LinkFault("expected at most \(Self.limit) terms of a node")
      }
      for hash in delta.entered {
        guard table.insert(hash, number) else {
          throw LinkFault("expected a hash at most \(TermTable.repetitionLimit) times")
        }
        difference += 1
      }
      for hash in delta.left where table.remove(hash, number) { difference -= 1 }
    }

    /// A node is dead, or has left: what its terms hit is on its way until others have its slices.
    package mutating func end(_ node: Int32) {
      guard let number = nodes.removeValue(forKey: node) else { return }
      living[number] = nil
      holders[number]?.node = nil
      holders[number]?.awaited = Set(completions.filter { $0.value.holder == number }.keys)
      dropIfDone(number)
      version += 1
    }

    /// Forgets a node and its terms.
    private mutating func drop(_ node: Int32) {
      guard let number = nodes.removeValue(forKey: node) else { return }
      living[number] = nil
      forget(number)
      for slice in completions.keys where completions[slice]?.holder == number { noteGone(slice) }
    }

    // MARK: - This node

    /// Notes that all terms of slices are told that the node itself serves.
    ///
    /// - Returns: What had departed with them, and has come back.
    package mutating func complete(_ slices: [SliceEpoch]) -> Departed {
      complete(slices, by: Self.own)
    }

    /// Begins to take the terms of sessions that depart from this node.
    ///
    /// - Parameter slices: Their slices, and the epochs in which they were complete.
    /// - Returns: The number of the departure.
    package mutating func beginDeparture(of slices: [SliceEpoch]) -> UInt32 {
      let number = add(Holder(isDeparting: true))
      extendDeparture(number, by: slices)
      return number
    }

    /// Lets more slices go with a departure that has begun.
    package mutating func extendDeparture(_ number: UInt32, by slices: [SliceEpoch]) {
      for slice in slices {
        set(slice, number)
        holders[number]?.awaited.insert(slice.slice)
        holders[number]?.departed.slices.append(slice.slice)
      }
    }

    /// Takes a term of sessions that depart.
    package mutating func depart(_ term: SharedTerm, by number: UInt32) {
      if !term.shape.isUnbounded { table.insert(term.hash, number) }
      holders[number]?.departed.terms.append(term)
      if !term.shape.isUnbounded { holders[number]?.count += 1 }
      note(term.shape, 1, number)
    }

    /// All terms of a departure were taken.
    ///
    /// - Returns: They, if they are complete elsewhere already.
    package mutating func endDeparture(_ number: UInt32) -> Departed {
      holders[number]?.isDeparting = false
      return dropIfDone(number)
    }

    /// Forgets everything but the node's own; returns what has departed and was not complete
    /// elsewhere.
    package mutating func reset() -> Departed {
      var departed = Departed()
      for holder in holders.sorted(by: { $0.key < $1.key }).map(\.value) {
        departed.append(holder.departed)
      }
      let version = version + 1
      self = ContentTerms()
      self.version = version
      return departed
    }

    // MARK: - Holders

    private mutating func add(_ holder: Holder) -> UInt32 {
      lastHolder += 1
      if lastHolder > TermTable.largestHolder {
        // After millions of nodes and hand-overs.
        table.keep { holders[$0] != nil }
        staleCount = 0
        lastHolder = Self.own + 1
        while holders[lastHolder] != nil { lastHolder += 1 }
      }
      holders[lastHolder] = holder
      return lastHolder
    }

    private mutating func note(
      _ shape: SharedTerm.Shape, _ difference: Int32, _ number: UInt32
    ) {
      let before = holders[number]?.shapes[shape] ?? 0
      let after = before + difference
      holders[number]?.shapes[shape] = after == 0 ? nil : after
      let kind = Int(shape.kind.rawValue)
      if shape.isUnbounded {
        unbounded[kind].removeAll { $0 == number }
        if after > 0 { unbounded[kind].append(number) }
        return
      }
      let sum = shapes[shape, default: 0] + Int(difference)
      if sum > 0, shapes[shape] == nil {
        sorted[kind].insert(shape, at: sorted[kind].firstIndex { $0 > shape } ?? sorted[kind].count)
      } else if sum <= 0 {
        sorted[kind].removeAll { $0 == shape }
      }
      shapes[shape] = sum > 0 ? sum : nil
    }

    /// A slice is not complete any more; an owner of before can be heard of later.
    private mutating func noteGone(_ slice: Int) {
      completions[slice]?.holder = Self.none
      completeCount -= 1
    }

    private mutating func set(_ slice: SliceEpoch, _ number: UInt32) {
      let known = completions.updateValue(
        Completion(epoch: slice.epoch, holder: number), forKey: slice.slice)
      if known == nil || known?.holder == Self.none { completeCount += 1 }
    }

    private mutating func complete(_ slices: [SliceEpoch], by number: UInt32) -> Departed {
      var departed = Departed()
      if slices.isEmpty { return departed }
      version += 1
      for slice in slices {
        if let known = completions[slice.slice], known.holder != number {
          let lives = known.holder == Self.own || holders[known.holder]?.node != nil
          // An owner of before can be heard of later than the one behind it.
          guard slice.epoch > known.epoch || !lives && slice.epoch == known.epoch else { continue }
          holders[known.holder]?.awaited.remove(slice.slice)
          set(slice, number)
          departed.append(dropIfDone(known.holder))
        } else {
          set(slice, number)
        }
      }
      return departed
    }

    /// Forgets a holder that waits for nothing any more; returns what had departed.
    @discardableResult
    private mutating func dropIfDone(_ number: UInt32) -> Departed {
      guard let holder = holders[number], number != Self.own, holder.node == nil,
        !holder.isDeparting, holder.awaited.isEmpty
      else { return Departed() }
      if holder.departed.isEmpty {
        forget(number)
      } else {
        for term in holder.departed.terms {
          if !term.shape.isUnbounded { table.remove(term.hash, number) }
          note(term.shape, -1, number)
        }
        holders[number] = nil
      }
      return holder.departed
    }

    /// Forgets a holder; its terms go when they are many.
    private mutating func forget(_ number: UInt32) {
      guard let holder = holders[number] else { return }
      for (shape, count) in holder.shapes { note(shape, -count, number) }
      holders[number] = nil
      staleCount += holder.count
      guard staleCount * 2 > table.count else { return }
      table.keep { holders[$0] != nil }
      staleCount = 0
    }
  }
#endif
