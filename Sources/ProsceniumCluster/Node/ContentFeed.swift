// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// Tells the other nodes by which terms the sessions of this one are found, and knows theirs.
  ///
  /// What changes while something is written is told next.
  final class ContentFeed: Sendable {
    private struct Own: Sendable {
      var terms = OwnTerms()
      /// The nodes that are told, each in the count of its items.
      var told: [Int32: UInt64] = [:]
      /// Those that take nothing of what they are told: they are told everything when they do.
      var behind: Set<Int32> = []
      /// The departure of sessions that is under way, and how many have begun and not ended.
      var departure: (number: UInt32, count: Int)?
      /// When the first change came that was not told yet.
      var since: Duration?
    }

    /// What is sent to a node in the count of its items.
    typealias Sending = @Sendable (LinkItem, _ node: Int32, _ count: UInt64) -> Void

    private let elapsed: @Sendable () -> Duration
    private let sliceCount: Int
    private let own = Guarded(Own())
    private let others = Guarded(ContentTerms())
    /// Since when there are slices whose terms are not told, if there are any.
    private let incomplete = Guarded<Duration?>(.zero)
    /// When what nodes are told was first true, in the order in which they are told.
    private let sent = Guarded<[Int32: Queue<Duration>]>([:])
    /// Wakes what tells the others.
    let bell = NodeBell()
    /// Is opened when something that was on its way may have come.
    let room = LinkRoom()

    /// How many changes a node is told at most that it has not taken.
    static let limit = 256
    /// How long it is waited at most for the terms of all slices: one can be parked.
    private static let patience = Duration.seconds(10)

    init(sliceCount: Int, _ elapsed: @escaping @Sendable () -> Duration) {
      self.sliceCount = sliceCount
      self.elapsed = elapsed
    }

    // MARK: - This node

    /// Takes what has become of a term of a session of this node.
    func note(_ term: SharedTerm, _ change: TermChange) {
      own.withLock { own in
        switch change {
        case .entered: own.terms.enter(term)
        case .left: own.terms.leave(term)
        case .departed:
          guard let departure = own.departure else {
            own.terms.leave(term)
            break
          }
          // The others go on to know it as this node's, which knows that it has left.
          others.withLock { $0.depart(term, by: departure.number) }
          return
        }
        if own.since == nil { own.since = elapsed() }
      }
      bell.ring()
    }

    /// Sessions of slices are about to go to other nodes.
    func beginDeparture(of slices: Set<Int>) {
      own.withLock { own in
        let epochs = own.terms.giveUp(slices.sorted())
        if let departure = own.departure {
          others.withLock { $0.extendDeparture(departure.number, by: epochs) }
          own.departure?.count += 1
        } else {
          own.departure = (others.withLock { $0.beginDeparture(of: epochs) }, 1)
        }
      }
    }

    /// They have gone.
    func endDeparture() {
      let departed = own.withLock { own in
        guard let departure = own.departure else { return ContentTerms.Departed() }
        own.departure = departure.count > 1 ? (departure.number, departure.count - 1) : nil
        if own.departure != nil { return ContentTerms.Departed() }
        return others.withLock { $0.endDeparture(departure.number) }
      }
      forget(departed)
    }

    /// All sessions of slices are entered that this node serves.
    func complete(_ slices: [SliceEpoch]) {
      let departed = own.withLock { own in
        own.terms.complete(slices)
        if own.since == nil { own.since = elapsed() }
        return others.withLock { $0.complete(slices) }
      }
      noteCompleteness()
      forget(departed)
      bell.ring()
      room.open()
    }

    /// Terms that departed are complete elsewhere.
    private func forget(_ departed: ContentTerms.Departed) {
      if departed.isEmpty { return }
      own.withLock { own in
        own.terms.leave(departed)
        if own.since == nil { own.since = elapsed() }
      }
      bell.ring()
    }

    // MARK: - Telling

    /// Begins as a node that knows nothing of the others.
    func reset() {
      own.withLock { own in
        own.told = [:]
        own.behind = []
        own.departure = nil
        _ = own.terms.giveUp(0..<sliceCount)
        own.terms.leave(others.withLock { $0.reset() })
        _ = own.terms.takeChanges()
        own.since = nil
      }
      sent.withLock { $0 = [:] }
      noteCompleteness()
      room.open()
    }

    /// Tells a node everything, and from then on what changes.
    func begin(_ node: Int32, _ count: UInt64, _ send: Sending) {
      own.withLock { own in
        tell(&own, send)
        sent.withLock { $0[node] = nil }
        own.told[node] = count
        own.behind.remove(node)
        tellAll(own, node, count, send)
      }
    }

    private func tellAll(
      _ own: borrowing Own, _ node: Int32, _ count: UInt64, _ send: Sending
    ) {
      // Not measured: it is old.
      for delta in own.terms.all { self.send(delta, to: node, count, since: nil, send) }
    }

    /// Tells the others what has changed, until it is cancelled.
    func run(_ send: Sending) async {
      while await bell.wait() { tell(send) }
    }

    /// Tells the others what has changed until now.
    func tell(_ send: Sending) { own.withLock { tell(&$0, send) } }

    private func tell(_ own: inout Own, _ send: Sending) {
      let caughtUp = own.behind.filter { untaken(by: $0) == 0 }
      if own.terms.hasChanged {
        let since = own.since
        own.since = nil
        // Twice all of it is more than a node is told at once.
        let limit = Self.limit + 2 * own.terms.count / TermDelta.limit
        for delta in own.terms.takeChanges() {
          for (node, count) in own.told.sorted(by: { $0.key < $1.key }) {
            if untaken(by: node) >= limit { own.behind.insert(node) }
            if own.behind.contains(node) { continue }
            self.send(delta, to: node, count, since: since, send)
          }
        }
      }
      for node in caughtUp.sorted() {
        own.behind.remove(node)
        if let count = own.told[node] { tellAll(own, node, count, send) }
      }
    }

    /// How much a node was told that it has not taken.
    private func untaken(by node: Int32) -> Int { sent.withLock { $0[node]?.count ?? 0 } }

    private func send(
      _ delta: TermDelta, to node: Int32, _ count: UInt64, since: Duration?, _ send: Sending
    ) {
      sent.withLock { $0[node, default: Queue()].append(since ?? .zero) }
      send(.terms(delta), node, count)
    }

    /// A node has taken what it was told; returns how long after it was true, if that is known.
    func noteTaken(by node: Int32) -> Duration? {
      let (since, isLast) = sent.withLock { sent in
        (sent[node]?.popFirst(), sent[node]?.isEmpty == true)
      }
      // It can be one that is behind.
      if isLast { bell.ring() }
      return since.flatMap { $0 == .zero ? nil : elapsed() - $0 }
    }

    // MARK: - Other nodes

    /// Believes what another node tells, if it lives.
    ///
    /// - Throws: `LinkFault` for what no node has.
    func take(
      _ delta: TermDelta, from node: Int32, ifLives lives: (Int32) -> Bool
    ) throws(LinkFault) {
      // In one step: a dead node's terms would never be forgotten.
      forget(
        try others.withLock { (others) throws(LinkFault) in
          lives(node) ? try others.take(delta, from: node) : .init()
        })
      noteCompleteness()
      if !delta.complete.isEmpty || delta.begins { room.open() }
    }

    /// A node is dead, or has left.
    func end(_ node: Int32) {
      own.withLock { own in
        own.told[node] = nil
        own.behind.remove(node)
      }
      others.withLock { $0.end(node) }
      sent.withLock { _ = $0.removeValue(forKey: node) }
      room.open()
    }

    /// Which other nodes may have sessions for some content.
    func look(for identifier: String, _ kind: SharedTerm.Kind) -> ContentTerms.Hits {
      others.withLock { $0.look(for: identifier, kind) }
    }

    /// Counts what may have brought something that was on its way.
    var version: Int { others.withLock { $0.version } }

    /// Whether the terms of all slices have been told, or are not waited for any more.
    var isComplete: Bool {
      incomplete.withLock { $0.map { elapsed() - $0 > Self.patience } ?? true }
    }

    private func noteCompleteness() {
      let isComplete = others.withLock { $0.completeCount } >= sliceCount
      incomplete.withLock { $0 = isComplete ? nil : $0 ?? elapsed() }
    }
  }
#endif
