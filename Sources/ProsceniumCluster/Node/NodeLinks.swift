// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives
  import Synchronization

  /// What a node has to do with the others: it brings them messages for sessions that they serve,
  /// and takes theirs.
  final class NodeLinks: Sendable {
    /// A node that this one calls.
    struct Peer: Sendable {
      let member: ClusterMember
      /// The count in which items for it have their numbers: another one after it was dead.
      let count: UInt64
      /// Which process answers, once it has.
      var process: UInt64?
      /// Whether it has said goodbye: it is not called any more.
      var hasParted = false
      /// Wakes what writes to it.
      let bell = NodeBell()
      /// The connection with it, if there is one.
      var connection: (any LinkConnection)?
    }

    struct State: Sendable {
      var own: Int32 = 0
      /// Tells this process under this number from all others.
      var process: UInt64 = 0
      var ledger = ForwardLedger<LinkItem>(own: 0, slices: 0)
      var peers: [Int32: Peer] = [:]
      var records: [Int32: LinkRecord] = [:]
      /// Whether nothing more is taken, since the node ends.
      var isEnding = false
      /// The owners of the slices, as the database has told last.
      var owners: [Int32?] = []

      /// Begins to call a node.
      mutating func begin(_ member: ClusterMember) {
        ledger.begin(member.number)
        peers[member.number] = Peer(member: member, count: count(to: member.number))
      }

      func count(to node: Int32) -> UInt64 { process &+ UInt64(ledger.ends(of: node)) }
    }

    let network: any LinkNetwork
    let clock: any Clock<Duration>
    private let identifiers: @Sendable () -> SessionIdentifier
    let sliceBits: Int
    let duties: NodeDuties
    private let log: Logger
    let metrics: NodeMetrics
    private let limit: ForwardLedger<LinkItem>.Limit
    private let shared = Guarded(State())
    let answers = ForwardedAnswers()
    let closed = Guarded(false)
    let room = LinkRoom()
    /// How many replies other nodes are still to be sent.
    let owed = Guarded(0)
    /// What was given to another node last.
    let given = ServedSlices()
    /// What shows which content, here and on other nodes.
    let content: ContentFeed
    /// How many events are on their way to sessions of other nodes.
    let routedCount = Guarded(0)
    let elapsed: @Sendable () -> Duration
    /// The scenes of what other nodes are about to give to this one.
    let returning: ReturningScenes
    /// Whether there are messages that come before others of sessions that are open here.
    let holds = Atomic(false)
    /// Where the others reach the node, once it listens.
    private let place = Guarded(LinkIdentity())
    /// What others have opened and is not taken yet.
    private let opened = Guarded<[any LinkConnection]>([])
    /// Wakes what takes connections.
    private let openedBell = NodeBell()
    /// What takes the messages of others; nothing before the application is made.
    let messages = Guarded<ForwardedMessages?>(nil)
    /// Wakes what begins to call nodes.
    let bell = NodeBell()
    /// Wakes what delivers what was kept and is the node's own by now.
    let ownBell = NodeBell()

    init(
      _ network: any LinkNetwork, _ duties: NodeDuties, _ clock: any Clock<Duration>,
      _ elapsed: @escaping @Sendable () -> Duration,
      _ identifiers: @escaping @Sendable () -> SessionIdentifier, _ log: Logger,
      _ metrics: NodeMetrics, limit: ForwardLedger<LinkItem>.Limit = .init()
    ) {
      self.network = network
      self.duties = duties
      self.clock = clock
      self.identifiers = identifiers
      self.log = log
      self.metrics = metrics
      self.limit = limit
      sliceBits = duties.sliceBits
      returning = ReturningScenes(sliceBits: duties.sliceBits)
      self.elapsed = elapsed
      content = ContentFeed(sliceCount: 1 << duties.sliceBits, elapsed)
    }

    /// Reads or changes what the node knows of the others.
    @discardableResult
    func withState<Value: Sendable, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
      try shared.withLock { (state) throws(Failure) in
        defer { holds.store(state.ledger.holdsOwn, ordering: .releasing) }
        return try body(&state)
      }
    }

    var own: Int32 { withState { $0.own } }

    /// How many messages have come for others that none has taken.
    var waitingCount: Int { withState { $0.ledger.waitingCount } }

    /// Where the others reach the node.
    var identity: LinkIdentity { place.withLock { $0 } }

    /// How this process is known to a node: otherwise after it has taken that for dead, since
    /// nothing is left of what it owed.
    func process(to node: Int32) -> UInt64 { withState { $0.count(to: node) } }

    // MARK: - Life

    /// Begins to listen.
    func open() async throws {
      let identity = try await network.open { [weak self] connection in
        guard let self, own != 0 else { return connection.close() }
        opened.withLock { $0.append(connection) }
        openedBell.ring()
      }
      place.withLock { $0 = identity }
    }

    /// Calls the other nodes, and takes what they bring, until the task is cancelled; it has begun
    /// before.
    func run() async {
      await withDiscardingTaskGroup { group in
        // Ends when it is cancelled, or the network does.
        group.addTask { await self.receive() }
        // Ends when it is cancelled.
        group.addTask { await self.deliverOwn() }
        // Ends when it is cancelled.
        group.addTask { await self.content.run(ContentForwarding(links: self).tell) }
        var called: [Int32: UInt64] = [:]
        while await bell.wait() {
          let new = withState { state in
            state.peers.values.sorted { $0.member.number < $1.member.number }
              .filter { called.updateValue($0.count, forKey: $0.member.number) != $0.count }
          }
          for peer in new {
            content.begin(peer.member.number, peer.count, ContentForwarding(links: self).tell)
            // Each for itself, until the node is dead.
            group.addTask { await LinkCaller(links: self, peer: peer).run() }
          }
        }
        group.cancelAll()
        endAll()
      }
    }

    /// Takes the connections that others open.
    private func receive() async {
      await withDiscardingTaskGroup { group in
        while await openedBell.wait() {
          let all = opened.withLock { opened in
            defer { opened = [] }
            return opened
          }
          for connection in all {
            // Each for itself: one that does not go on holds no other one up.
            group.addTask { await LinkReceiver(self, connection).run() }
          }
        }
      }
    }

    /// Ends everything: the node is dead, or leaves.
    func endAll() {
      let (items, peers, records) = withState { state in
        defer { state = State() }
        return (
          state.ledger.endAll(),
          state.peers.values.sorted { $0.member.number < $1.member.number },
          state.records.values.sorted { $0.node < $1.node }
        )
      }
      for peer in peers {
        peer.connection?.close()
        peer.bell.ring()
      }
      for record in records { record.close() }
      for connection in opened.withLock({ $0 }) { connection.close() }
      ownBell.ring()
      openedBell.ring()
      content.bell.ring()
      lose(items)
      answers.endAll()
      content.reset()
      room.open()
    }

    /// Begins under a number, before anything is believed of the other nodes.
    func begin(as own: Int32) {
      let process = identifiers().low
      withState { state in
        state = State()
        state.own = own
        state.process = process
        state.ledger = ForwardLedger(own: own, slices: 1 << sliceBits, limit: limit)
      }
    }

    /// Lets the task end that runs.
    func wake() { bell.ring() }

    /// Believes what the database says of the nodes.
    func take(_ members: [ClusterMember]) {
      var connections: [(any LinkConnection)?] = []
      var records: [LinkRecord?] = []
      let (ready, unknown, untaken, dead) = withState { state in
        let others = members.filter { $0.number != state.own }
        let living = Dictionary(uniqueKeysWithValues: others.map { ($0.number, $0) })
        // A database that went back can give a number to another process.
        let dead = state.peers.values.map(\.member)
          .filter { living[$0.number]?.link != $0.link }.map(\.number).sorted()
        var (unknown, untaken): ([LinkItem], [LinkItem]) = ([], [])
        var ready: Set<Int32> = []
        for number in dead {
          let ended = state.ledger.end(number)
          unknown += ended.unknown
          untaken += ended.untaken
          ready.formUnion(ended.ready)
          connections.append(state.peers.removeValue(forKey: number)?.connection)
          // What was received counts if the database brings the node to life again.
          records.append(state.records[number])
        }
        for member in others where state.own != 0 && state.peers[member.number] == nil {
          state.begin(member)
        }
        return (ready.sorted().compactMap { state.peers[$0] }, unknown, untaken, dead)
      }
      for case let connection? in connections { connection.close() }
      for case let record? in records { record.close() }
      for peer in ready { peer.bell.ring() }
      bell.ring()
      ownBell.ring()
      lose(unknown)
      answers.giveBack(untaken)
      for node in dead {
        answers.end(node)
        content.end(node)
        given.end(node)
      }
      room.open()
    }

    /// Believes what the database says of the owners.
    func take(owners: [Int32?]) {
      let ready = withState { state in
        guard state.own != 0 else { return [Peer]() }
        state.owners = owners
        return state.ledger.take(owners: owners).sorted().compactMap { state.peers[$0] }
      }
      for peer in ready { peer.bell.ring() }
      ownBell.ring()
      room.open()
    }

    /// Tells the senders of what a dead node may have taken.
    func lose(_ items: [LinkItem]) {
      var count = 0
      for item in items {
        switch item {
        case .message(let message, let session, let delivery):
          lose(message, session, delivery, .outcomeUnknown(session))
        case .question(_, let ticket): answers.give(ticket, .failure(.outcomeUnknown(nil)))
        case .reply, .handingOver, .terms, .clientLines: continue
        }
        count += 1
      }
      if count > 0 { metrics.noteUnknown(count) }
    }

    func lose(
      _ message: SceneMessage, _ session: SessionIdentifier, _ delivery: LinkItem.Delivery,
      _ error: SceneError
    ) {
      if let ticket = delivery.ticket {
        answers.give(ticket, .failure(error))
      } else {
        messages.withLock { $0 }?.reportLoss(of: message, to: session)
      }
    }

    func note(_ fault: LinkFault, with member: ClusterMember?) {
      log.debug(
        "a connection between nodes has ended",
        metadata: ["node": "\(member?.number ?? 0)", "error": "\(fault)"])
    }
  }
#endif
