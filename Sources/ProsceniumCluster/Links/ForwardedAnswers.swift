// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// The senders that wait for what other nodes answer.
  final class ForwardedAnswers: Sendable {
    private struct Waiting: Sendable {
      let answer: ForwardedWork.Answer<SceneMessage>
      let session: SessionIdentifier?
      /// The node that it was sent to last: no other one answers.
      var receiver: Int32?
      /// The node that has taken what it was sent, and owes the answer.
      var node: Int32?
    }

    private struct State: Sendable {
      var next: UInt64 = 1
      var waiting: [UInt64: Waiting] = [:]
      var isClosed = false
    }

    private let state = Guarded(State())

    /// Enters a sender, if it waits for an answer.
    ///
    /// - Parameters:
    ///   - work: What it has for another node.
    ///   - session: The session.
    /// - Returns: What goes to the other node; `nil` if there will be no answers any more.
    /// - Throws: `limitExceeded` for a request that is too large.
    func enter(
      _ work: ForwardedWork, for session: SessionIdentifier
    ) throws(SceneError) -> LinkItem? {
      switch work {
      case .message(let message): return .message(message, to: session, .plain)
      case .durable(let message, let answer):
        return enter(session) { answer($0.map { _ in }) }
          .map { .message(message, to: session, .durable(ticket: $0)) }
      case .call(let message, let answer):
        return enter(session, answer).map { .message(message, to: session, .call(ticket: $0)) }
      case .request(let request, let answer):
        let message = try request.encoded()
        return enter(session) { answer($0.flatMap(StoredSession.decoded)) }
          .map { .message(message, to: session, .request(ticket: $0)) }
      }
    }

    /// Enters a sender that waits for an answer.
    ///
    /// - Parameters:
    ///   - session: The session that it is about, if it is about one.
    ///   - answer: Is given the answer.
    /// - Returns: Its ticket; `nil` if there will be no answers any more.
    func enter(
      _ session: SessionIdentifier?, _ answer: @escaping ForwardedWork.Answer<SceneMessage>
    ) -> UInt64? {
      state.withLock { state in
        if state.isClosed { return nil }
        defer { state.next += 1 }
        state.waiting[state.next] = Waiting(answer: answer, session: session)
        return state.next
      }
    }

    /// A sender does not wait any more.
    func forget(_ ticket: UInt64) {
      state.withLock { _ = $0.waiting.removeValue(forKey: ticket) }
    }

    /// What a sender waits for is about to be sent to a node.
    func note(_ ticket: UInt64, sentTo node: Int32) {
      state.withLock { $0.waiting[ticket]?.receiver = node }
    }

    /// A node has taken what a sender waits for, and is to answer.
    func note(_ ticket: UInt64, takenBy node: Int32) {
      state.withLock { $0.waiting[ticket]?.node = node }
    }

    /// Gives a sender its answer, if it has none yet.
    func give(_ ticket: UInt64, _ result: Result<SceneMessage, SceneError>) {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.answer(result)
    }

    /// Gives a sender the answer of a node, if it was asked.
    func give(_ ticket: UInt64, _ result: Result<SceneMessage, SceneError>, of node: Int32) {
      let waiting = state.withLock { state in
        state.waiting[ticket]?.receiver == node ? state.waiting.removeValue(forKey: ticket) : nil
      }
      waiting?.answer(result)
    }

    /// A node was not asked what is left: its senders are to ask again.
    func giveBack(_ items: [LinkItem]) {
      for case .question(_, let ticket) in items { give(ticket, ContentAnswer.moving.encoded()) }
    }

    /// A node is dead: what it owes is not answered any more.
    func end(_ node: Int32) {
      let owed = state.withLock { state in
        let owed = state.waiting.filter { $0.value.node == node }
        for ticket in owed.keys { state.waiting[ticket] = nil }
        return owed.sorted { $0.key < $1.key }.map(\.value)
      }
      for waiting in owed {
        waiting.answer(.failure(.outcomeUnknown(waiting.session)))
      }
    }

    /// Nothing more is answered: the node itself is dead, or its application ends.
    ///
    /// - Parameter closes: Whether no sender is entered from then on.
    func endAll(closes: Bool = false) {
      let all = state.withLock { state in
        if closes { state.isClosed = true }
        defer { state.waiting = [:] }
        return state.waiting.sorted { $0.key < $1.key }.map(\.value)
      }
      for waiting in all { waiting.answer(.failure(.outcomeUnknown(waiting.session))) }
    }
  }

  extension SceneError {
    /// The owner of a session has died, and may have taken before what it was sent.
    static func outcomeUnknown(_ session: SessionIdentifier?) -> SceneError {
      SceneError(
        .outcomeUnknown, session: session,
        "the node that served the session has died; it may have taken what was sent")
    }
  }

  extension LinkRefusal {
    /// What a sender is told that waits.
    func error(_ session: SessionIdentifier) -> SceneError {
      switch self {
      case .parked:
        SceneError(
          .systemBusy, session: session,
          "the session's slice is parked: its owners died one after the other",
          retryAfter: .seconds(10))
      case .notServed, .outOfTurn, .notOpen:
        SceneError(
          .sessionNotOpen, session: session, "the session is not open, or is about to end")
      }
    }
  }
#endif
