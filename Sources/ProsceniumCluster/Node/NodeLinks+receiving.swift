// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  // Connections that others have opened.
  extension NodeLinks {
    /// What was received from a node that lives.
    ///
    /// - Throws: `LinkFault` if it does not, or has another certificate.
    func record(of node: Int32, _ fingerprint: [UInt8]) throws(LinkFault) -> LinkRecord {
      let record = withState { state -> LinkRecord? in
        guard state.peers[node]?.member.link.fingerprint == fingerprint else { return nil }
        if let record = state.records[node] { return record }
        let record = LinkRecord(node)
        state.records[node] = record
        if state.isEnding { record.sayGoodbye() }
        return record
      }
      guard let record else {
        throw LinkFault("expected a node that lives and its certificate, found node \(node)")
      }
      return record
    }

    /// Tells the others which of some slices are served from now on: those that sent to them too
    /// early, and the one that gave them.
    func noteServed(_ slices: [Int]) {
      let slices = slices.filter(serves)
      let records = withState { $0.records.values.sorted { $0.node < $1.node } }
      for record in records { record.note(served: slices) }
      ownBell.ring()
    }

    /// Whether a node takes the replies that it asks for: those that it is still owed have a place.
    func hasRoomForReply(to record: LinkRecord) -> Bool {
      // Before the room is looked at: what comes into the outbox in between counts twice.
      let owed = record.owedCount
      return withState {
        $0.ledger.hasRoom(record.node, SceneMessage.sizeLimit, forReplyBesides: owed)
      }
    }

    /// Lets a node send again what was refused for want of room for replies, if there is some.
    func noteRoom(for node: Int32) {
      guard let record = withState({ $0.records[node] }), record.canResumeCalls,
        hasRoomForReply(to: record)
      else { return }
      record.note(served: record.takeShortOfRoom().filter(serves))
    }

    /// Delivers what was kept until its slice was the node's own, until it is cancelled.
    func deliverOwn() async {
      await withDiscardingTaskGroup { group in
        while await ownBell.wait() {
          for slice in withState({ $0.ledger.ownReady }) where serves(slice) {
            let entries = withState { $0.ledger.takeOwn(slice) }
            var left = entries[...]
            while let entry = left.first, await deliverOwn(entry.item, slice, &group) {
              left.removeFirst()
            }
            let peer = withState { state in
              state.ledger.finishOwn(slice, left: Array(left)).flatMap { state.peers[$0] }
            }
            peer?.bell.ring()
            // What has come in the meantime is next. What is left waits for the next look.
            if left.isEmpty { ownBell.ring() }
          }
        }
      }
    }

    /// Delivers what was kept; returns whether the slice is still served.
    private func deliverOwn(
      _ item: LinkItem, _ slice: Int, _ group: inout DiscardingTaskGroup
    ) async -> Bool {
      guard case .message(let message, let session, let delivery) = item else { return true }
      do throws(SceneError) {
        let wait = try await deliver(message, to: session, delivery)
        if let wait, let ticket = delivery.ticket {
          // The next message does not wait for the reply of one before it.
          group.addTask { self.answers.give(ticket, await wait()) }
        }
      } catch {
        if refusal(error, slice).isForNow { return false }
        lose(message, session, delivery, error)
      }
      return true
    }

    func serves(_ slice: Int) -> Bool { duties.ledger.withLock { $0[slice] == .served } }

    /// Delivers a message of another node, or decides a request.
    ///
    /// - Returns: What waits for the reply, if its sender does.
    func deliver(
      _ message: SceneMessage, to session: SessionIdentifier, _ delivery: LinkItem.Delivery
    ) async throws(SceneError) -> (@Sendable () async -> Result<SceneMessage, SceneError>)? {
      guard let messages = messages.withLock({ $0 }) else {
        throw SceneError(.notRunning, session: session, "the application is not running")
      }
      switch delivery {
      case .plain:
        try await messages.take(message, to: session)
        return nil
      case .durable:
        let wait = try await messages.takeDurably(message, to: session)
        return { await wait().map { SceneMessage("") } }
      case .call: return try await messages.call(message, to: session)
      case .request:
        let request: ForwardedRequest
        switch ForwardedRequest.decoded(message, for: session) {
        case .success(let decoded): request = decoded
        case .failure(let error): return { .failure(error) }
        }
        let wait = try await messages.decide(request, for: session)
        return { await wait().flatMap { $0?.encoded() ?? .success(SceneMessage("")) } }
      }
    }

    /// Why a message of another node is not taken.
    func refusal(_ error: SceneError, _ slice: Int) -> LinkRefusal {
      switch duties.ledger.withLock({ $0[slice] }) {
      case .served: error.code == .sessionNotOpen ? .notOpen : .notServed
      case .parked: .parked
      case .none, .wanted, .adopting, .leaving: .notServed
      }
    }
  }
#endif
