// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// What this node has received from another one, over all connections that the other has opened.
  final class LinkRecord: Sendable {
    private struct State: Sendable {
      var inbox = LinkInbox()
      /// The count in which items have their numbers.
      var count: UInt64 = 0
      /// This process, until the other node was told which it is.
      var greeting: UInt64?
      var served: Set<Int> = []
      /// Whether an item was refused since the other node takes no replies.
      var isShortOfRoom = false
      /// How many calls were taken whose replies are not in the outbox yet.
      var calls = 0
      /// How many questions were taken whose answers are not.
      var questions = 0
      /// Whether items are being taken.
      var isTaking = false
      /// Whether nothing more is taken, since the node ends.
      var isEnding = false
      /// Whether the other node was told so on the connection.
      var hasSaidGoodbye = false
      /// Whether it has closed the connection since.
      var hasParted = false
      var connection: (any LinkConnection)?
      /// Wakes what writes answers to it.
      var bell: NodeBell?
    }

    let node: Int32
    private let state = Guarded(State())
    /// Is had by the connection that items are taken from.
    private let turn = LinkTurn()

    init(_ node: Int32) {
      self.node = node
    }

    /// Begins with a new connection, when everything has been taken that the one before has read.
    func begin(
      on connection: any LinkConnection, _ bell: NodeBell, _ count: UInt64, as process: UInt64
    ) async {
      let before = state.withLock { state in
        defer { (state.connection, state.bell) = (connection, bell) }
        return state.connection
      }
      before?.close()
      await turn.take()
      state.withLock { state in
        // The other node begins with all slices again.
        state.served = []
        // It is another process, or has taken this one for dead: nothing is left of before.
        if state.count != count { (state.inbox, state.count) = (LinkInbox(), count) }
        state.inbox.connect()
        state.greeting = process
        state.hasSaidGoodbye = false
      }
    }

    /// Ends with the connection from which items were taken.
    func end() {
      state.withLock { state in
        state.isTaking = false
        // It has read what it was told, and closed the connection for it.
        state.hasParted = state.hasSaidGoodbye
      }
      turn.give()
    }

    /// Takes nothing more, and tells the other node so.
    func sayGoodbye() {
      let bell = state.withLock { state in
        state.isEnding = true
        return state.bell
      }
      bell?.ring()
    }

    /// Whether the other node knows that nothing more is taken.
    var hasParted: Bool { state.withLock { $0.hasParted } }

    /// Ends the connection that there is.
    func close() { state.withLock { $0.connection }?.close() }

    // MARK: - Items

    /// Begins with items; returns those that were not received before.
    func begin(
      _ batch: LinkWindow<LinkItem>.Batch
    ) throws(LinkFault) -> ArraySlice<LinkWindow<LinkItem>.Entry> {
      try state.withLock { (state) throws(LinkFault) in
        if state.isEnding { return [] }
        let count = try state.inbox.begin(
          first: batch.first, count: batch.entries.count, confirmed: batch.confirmed)
        state.isTaking = true
        return batch.entries[count...]
      }
    }

    /// All items of a batch were received.
    func finishBatch() { state.withLock { $0.isTaking = false } }

    /// Receives items for the node itself, or that were delivered while no slice was refused.
    func receive(_ count: Int = 1) {
      if count > 0 { state.withLock { $0.inbox.receive(count) } }
    }

    /// Whether items of some slices must not be delivered.
    var isRefusing: Bool { state.withLock { $0.inbox.isRefusing } }

    /// Whether an item must not be delivered, since one before it was refused; it is received then.
    func receiveOutOfTurn(_ slice: Int, _ restarts: Bool) -> Bool {
      state.withLock { state in
        guard !restarts, state.inbox.isAwaited(slice) else { return false }
        _ = state.inbox.receive(of: slice, restarts: false, refusal: nil)
        return true
      }
    }

    /// Receives an item that was delivered, or is refused.
    func receive(_ slice: Int, _ restarts: Bool, _ refusal: LinkRefusal?) {
      state.withLock { _ = $0.inbox.receive(of: slice, restarts: restarts, refusal: refusal) }
    }

    /// How many calls of another node run at a time; more wait at that node.
    static let callLimit = 8_192

    /// Whether one more call may run.
    var canBeginCall: Bool { state.withLock { $0.calls < Self.callLimit } }

    /// Whether so few calls run that those that were refused may come again, all at once.
    var canResumeCalls: Bool { state.withLock { $0.calls <= Self.callLimit / 2 } }

    /// How many replies and answers are still to come into the outbox.
    var owedCount: Int { state.withLock { $0.calls + $0.questions } }

    /// A question is taken.
    func beginQuestion() { state.withLock { $0.questions += 1 } }

    /// The answer to a question is in the outbox.
    func endQuestion() { state.withLock { $0.questions -= 1 } }

    /// A call is taken.
    func beginCall() { state.withLock { $0.calls += 1 } }

    /// The reply to a call is in the outbox.
    ///
    /// - Returns: Whether calls that were refused may come again: not for each one that has ended,
    ///   as all that wait come again then.
    func endCall() -> Bool {
      state.withLock { state in
        state.calls -= 1
        return state.isShortOfRoom && state.calls == Self.callLimit / 2
      }
    }

    /// Refuses an item for now, since there is no room for the reply.
    func refuseForRoom(_ slice: Int, _ restarts: Bool) {
      state.withLock { state in
        _ = state.inbox.receive(of: slice, restarts: restarts, refusal: .notServed)
        state.isShortOfRoom = true
      }
    }

    /// Takes the slices of which an item may have been refused for want of room.
    func takeShortOfRoom() -> [Int] {
      state.withLock { state in
        guard state.isShortOfRoom else { return [] }
        state.isShortOfRoom = false
        return state.inbox.awaited
      }
    }

    /// Notes that slices are served now.
    func note(served slices: [Int]) {
      let bell = state.withLock { state in
        state.served.formUnion(slices)
        return state.bell
      }
      if !slices.isEmpty { bell?.ring() }
    }

    // MARK: - Answers

    /// Takes what the other node is to be told.
    func takeAnswers() -> [LinkFrame] {
      state.withLock { state in
        var frames: [LinkFrame] = []
        if let answer = state.inbox.answer() {
          frames.append(state.greeting.map { .welcome(process: $0, answer) } ?? .answer(answer))
          state.greeting = nil
        }
        // Behind the refusals that came before.
        if !state.served.isEmpty { frames.append(.served(state.served.sorted())) }
        state.served = []
        // What is being taken is answered first.
        if state.isEnding, !state.isTaking, !state.hasSaidGoodbye, state.greeting == nil {
          frames.append(.goodbye)
          state.hasSaidGoodbye = true
        }
        return frames
      }
    }
  }
#endif
