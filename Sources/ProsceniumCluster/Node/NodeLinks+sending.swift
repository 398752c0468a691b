// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives
  import Synchronization

  // Messages for sessions of other nodes.
  extension NodeLinks {
    /// What the application is given.
    var ofApplication: Neighbours {
      Neighbours { [self] in
        holdsBack
      } forward: { [self] (work, session) throws(SceneError) in
        try forward(work, to: session)
      } waitForRoom: { [self] session in
        await waitForRoom(for: session)
      } route: { [self] (routed) throws(SceneError) in
        try ContentForwarding(links: self).route(routed)
      } findPreferring: { [self] (identifier, source) throws(SceneError) in
        try ContentForwarding(links: self).findPreferring(identifier, source)
      } noteTerm: { [content] in
        content.note($0, $1)
      } place: {
        SlicePlace.identifier(of: $0)
      } close: { [self] in
        close()
      }
    }

    var holdsBack: Bool { holds.load(ordering: .acquiring) }

    func forward(
      _ work: ForwardedWork, to session: SessionIdentifier
    ) throws(SceneError) -> Forwarding {
      let slice = session.slice(bits: sliceBits)
      let isHere = duties.isServedHere(slice)
      guard !isClosed, !isHere || withState({ $0.ledger.isHeld(slice) }),
        let item = try answers.enter(work, for: session)
      else { return .notElsewhere }
      let (sending, bell) = withState { state in
        // A node that has no number, or no more, has no others.
        guard state.own != 0 else { return (ForwardLedger<LinkItem>.Sending?.none, NodeBell?.none) }
        let sending = state.ledger.send(item, of: slice, size: item.size)
        guard case .queued(let node) = sending else { return (sending, NodeBell?.none) }
        return (sending, state.peers[node]?.bell)
      }
      switch sending {
      case .queued, .kept:
        bell?.ring()
        // It can be the node's own since.
        if sending == .kept { ownBell.ring() }
        return .taken
      case .full, nil:
        if let ticket = item.ticket { answers.forget(ticket) }
        return sending == .full ? .full : .notElsewhere
      }
    }

    func waitForRoom(for session: SessionIdentifier) async {
      let slice = session.slice(bits: sliceBits)
      await room.wait {
        isClosed || withState { $0.own == 0 || $0.ledger.hasRoom(for: slice) }
      }
    }

    private var isClosed: Bool { closed.withLock { $0 } }

    func close() {
      closed.withLock { $0 = true }
      answers.endAll(closes: true)
      room.open()
    }

    /// Waits until everything has been taken that was accepted, and all replies that are owed; and
    /// no longer than a time.
    func flush(within time: Duration) async {
      await room.wait(within: time, clock) { [self] in
        owed.withLock { $0 } == 0 && withState { $0.own == 0 || $0.ledger.isSettled }
      }
    }

    /// Takes nothing more, and waits until the others know; and no longer than a time.
    ///
    /// What they have sent that was not taken goes to the next owners then, and is not unknown.
    func sayGoodbye(within time: Duration) async {
      let records = withState { state in
        state.isEnding = true
        return state.records.values.sorted { $0.node < $1.node }
      }
      for record in records { record.sayGoodbye() }
      await room.wait(within: time, clock) { [self] in
        let waiting = withState { state in
          state.records.values.filter { state.peers[$0.node]?.hasParted == false }
        }
        return waiting.allSatisfy(\.hasParted)
      }
    }

    /// Owes a node a reply from here on.
    ///
    /// - Returns: What waits for the reply, and sends it.
    func reply(
      _ wait: @escaping @Sendable () async -> Result<SceneMessage, SceneError>, _ ticket: UInt64,
      to node: Int32
    ) -> @Sendable () async -> Void {
      owed.withLock { $0 += 1 }
      return { [self] in
        send(.reply(ticket: ticket, await wait()), to: node)
        owed.withLock { $0 -= 1 }
        room.open()
      }
    }

    /// Sends an item to a node itself.
    func send(_ item: LinkItem, to node: Int32) {
      let peer = withState { state in
        guard state.own != 0 else { return Peer?.none }
        state.ledger.send(item, to: node, size: item.size)
        return state.peers[node]
      }
      peer?.bell.ring()
    }
  }

  // Connections with nodes that are called.
  extension NodeLinks {
    /// Whether a node is called that lives.
    func calls(_ peer: Peer) -> Bool {
      withState { state in
        guard let known = state.peers[peer.member.number] else { return false }
        return known.count == peer.count && !known.hasParted
      }
    }

    /// A node ends: what it has not answered goes to the next owners.
    func part(with peer: Peer) {
      var untaken: [LinkItem] = []
      let peers = withState { state in
        let node = peer.member.number
        guard state.peers[node]?.count == peer.count else { return [Peer]() }
        state.peers[node]?.hasParted = true
        let ended = state.ledger.end(node, saysGoodbye: true)
        untaken = ended.untaken
        return ended.ready.sorted().compactMap { state.peers[$0] }
      }
      answers.giveBack(untaken)
      for peer in peers { peer.bell.ring() }
      ownBell.ring()
      room.open()
    }

    /// Begins with a connection with a node, unless that is dead.
    func begin(_ connection: any LinkConnection, with peer: Peer) -> Bool {
      withState { state in
        let node = peer.member.number
        guard state.peers[node]?.count == peer.count else { return false }
        state.peers[node]?.connection = connection
        return true
      }
    }

    /// Notes what a node has received that was called.
    ///
    /// - Throws: `LinkFault` if it is dead, or another process than the one before.
    func connect(
      _ peer: Peer, _ process: UInt64, _ answer: LinkAnswer
    ) throws(LinkFault) {
      let node = peer.member.number
      let (losses, ended) = try withState { (state) throws(LinkFault) in
        guard let known = state.peers[node], known.count == peer.count else {
          throw LinkFault("node \(node) is dead")
        }
        if let before = known.process, before != process {
          // A database that went back has given the number to another one.
          let ended = state.ledger.end(node)
          state.begin(peer.member)
          // Its slices are those of the process that has the number now: no map says so again.
          let ready = ended.ready.union(state.ledger.take(owners: state.owners))
          return (
            [ForwardLedger<LinkItem>.Loss](),
            Optional((ended.unknown, ended.untaken, ready.sorted().compactMap { state.peers[$0] }))
          )
        }
        state.peers[node]?.process = process
        let losses = try state.ledger.connect(node, answer) { note($0, takenBy: node) }
        return (losses, nil)
      }
      lose(losses)
      room.open()
      guard let (unknown, untaken, ready) = ended else { return }
      for peer in ready { peer.bell.ring() }
      lose(unknown)
      answers.giveBack(untaken)
      answers.end(node)
      content.end(node)
      bell.ring()
      throw LinkFault("expected the process of before as node \(node), found another one")
    }

    /// From here on the node owes the answer, or knows what it was told.
    private func note(_ item: LinkItem, takenBy node: Int32) {
      if let ticket = item.ticket { answers.note(ticket, takenBy: node) }
      if case .terms = item, let lag = content.noteTaken(by: node) { metrics.noteRouting(lag) }
      if item.isAnnouncement { given.noteKnown(by: node) }
    }

    func disconnect(_ peer: Peer) {
      withState { state in
        let node = peer.member.number
        guard state.peers[node]?.count == peer.count else { return }
        state.ledger.disconnect(node)
        state.peers[node]?.connection = nil
      }
    }

    func nextBatch(to node: Int32) -> LinkWindow<LinkItem>.Batch? {
      let batch = withState { $0.ledger.nextBatch(to: node) }
      for entry in batch?.entries ?? [] {
        if let ticket = entry.item.ticket { answers.note(ticket, sentTo: node) }
      }
      return batch
    }

    func take(_ answer: LinkAnswer, from node: Int32) throws(LinkFault) {
      let (losses, peers) = try withState { (state) throws(LinkFault) in
        let taken = try state.ledger.take(answer, from: node) { note($0, takenBy: node) }
        return (taken.losses, taken.ready.sorted().compactMap { state.peers[$0] })
      }
      for peer in peers { peer.bell.ring() }
      ownBell.ring()
      lose(losses)
      noteRoom(for: node)
      room.open()
    }

    func note(served slices: [Int], by node: Int32) {
      given.note(slices, by: node)
      let peer = withState { state in
        state.ledger.note(served: slices, by: node) ? state.peers[node] : nil
      }
      peer?.bell.ring()
    }

    private func lose(_ losses: [ForwardLedger<LinkItem>.Loss]) {
      for loss in losses {
        guard case .message(let message, let session, let delivery) = loss.item else { continue }
        lose(message, session, delivery, loss.refusal.error(session))
      }
    }

  }
#endif
