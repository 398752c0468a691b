// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// Brings events to the nodes whose sessions show their content, and finds sessions for
  /// activations by it.
  struct ContentForwarding: Sendable {
    let links: NodeLinks

    private var feed: ContentFeed { links.content }

    /// How long an event waits at most for a session that is on its way to a node.
    private static let patience = Duration.seconds(15)

    // MARK: - Events of this node

    /// Looks for the content of an event in the other nodes too.
    ///
    /// An event that one node alone may show is sent to it before the function returns.
    ///
    /// - Throws: `systemBusy` if too much is on its way there, or `limitExceeded`.
    func route(_ routed: RoutedEvent) throws(SceneError) -> ContentSearch<SceneSession> {
      guard routed.scope == .all, let identifier = routed.event.targetContentIdentifier,
        links.own != 0, let messages = links.messages.withLock({ $0 })
      else { return .here }
      let event = Event(routed, identifier, messages)
      let route = Self.begin(identifier)
      let step = step(route, event)
      if step == .here { return .here }
      // Before it is sent: what is refused is delivered nowhere.
      try beginWaiting()
      do throws(SceneError) {
        var begin: (node: Int32, scope: RoutingScope, Sending)?
        if case .send(let node, let scope) = step {
          begin = (node, scope, try send(event, to: node, scope))
        }
        return .elsewhere { [begin] () throws(SceneError) in
          defer { endWaiting() }
          return try await deliver(event, route, begin)
        }
      } catch {
        endWaiting()
        throw error
      }
    }

    /// Looks in the other nodes too for the session that prefers some content.
    ///
    /// - Throws: `systemBusy` if too much waits for other nodes.
    func findPreferring(
      _ identifier: String, _ source: SessionIdentifier?
    ) throws(SceneError) -> ContentSearch<SessionIdentifier?> {
      guard links.own != 0, let messages = links.messages.withLock({ $0 }) else { return .here }
      let sought = RoutedEvent(
        .url(OpenURLContext(identifier)), source: source, scope: .preferring)
      let event = Event(sought, identifier, messages)
      let route = Self.begin(identifier)
      if step(route, event) == .here { return .here }
      try beginWaiting()
      return .elsewhere { () throws(SceneError) in
        defer { endWaiting() }
        return try await find(event, route)
      }
    }

    /// How many events and activations may wait for other nodes.
    static let limit = 65_536

    private func beginWaiting() throws(SceneError) {
      let hasRoom = links.routedCount.withLock { count in
        guard count < Self.limit else { return false }
        count += 1
        return true
      }
      guard hasRoom else { throw SceneError(.systemBusy, "too much waits for other nodes") }
    }

    private func endWaiting() { links.routedCount.withLock { $0 -= 1 } }

    /// An event, and what it is looked for by.
    private struct Event: Sendable {
      let routed: RoutedEvent
      let identifier: String
      let messages: ForwardedMessages

      /// Whether only a session that prefers the content will do.
      var prefersAlone: Bool { routed.scope == .preferring }

      init(_ routed: RoutedEvent, _ identifier: String, _ messages: ForwardedMessages) {
        (self.routed, self.identifier, self.messages) = (routed, identifier, messages)
      }
    }

    /// What would be done first with an event.
    func step(
      _ identifier: String, _ source: SessionIdentifier?, _ messages: ForwardedMessages
    ) -> ContentRoute.Step {
      let routed = RoutedEvent(.url(OpenURLContext(identifier)), source: source)
      return step(Self.begin(identifier), Event(routed, identifier, messages))
    }

    private static func begin(_ identifier: String) -> ContentRoute {
      ContentRoute(hash: UInt64(SlicePlace.place(of: .content, identifier)))
    }

    /// The next step, by what is known now.
    private func step(_ route: ContentRoute, _ event: Event) -> ContentRoute.Step {
      let step = route.next(view(event))
      // A new session, while a node has not told yet what shows the content already.
      return step == .here && !feed.isComplete && !isShown(event) ? .wait : step
    }

    /// The best session of this node that prefers the content of an event.
    private func best(_ event: Event) -> ContentRoute.Best? {
      event.messages.best(
        for: event.identifier, source: event.routed.source, .preferring
      ).map { ContentRoute.Best($0.state, isSource: $0.isSource) }
    }

    private func isShown(_ event: Event) -> Bool {
      event.prefersAlone
        ? best(event) != nil
        : event.messages.best(for: event.identifier, source: nil, .showing) != nil
    }

    /// What this node knows of the content of an event.
    private func view(_ event: Event) -> ContentRoute.View {
      var view = ContentRoute.View()
      view.prefers = feed.look(for: event.identifier, .prefers)
      view.preferring = best(event)
      if view.preferring != nil || event.prefersAlone { return view }
      view.shows = isShown(event)
      if !view.shows { view.can = feed.look(for: event.identifier, .can) }
      return view
    }

    /// Takes step after step until a session has the event.
    private func deliver(
      _ event: Event, _ begin: ContentRoute, _ sent: (node: Int32, RoutingScope, Sending)?
    ) async throws(SceneError) -> SceneSession {
      var route = begin
      var sent = sent
      let deadline = links.elapsed() + Self.patience
      while true {
        let version = feed.version
        var isMoving = false
        if let (node, scope, sending) = sent {
          sent = nil
          switch try await answer(to: sending, of: node) {
          case .session(let session): return event.messages.session(elsewhere: session)
          case .nothing, .best: route.note(node, hasNone: scope)
          case .moving: isMoving = true
          case nil: sent = (node, scope, try send(event, to: node, scope))
          }
        } else {
          switch try await decide(event, &route) {
          case .here: return try await event.messages.deliver(event.routed)
          case .send(let node, let scope): sent = (node, scope, try send(event, to: node, scope))
          case .ask: break
          case .wait: isMoving = true
          }
        }
        guard isMoving else { continue }
        try await waitForChange(since: version, until: deadline)
        route.beginAgain()
      }
    }

    /// The next step, after nodes were asked that are to be asked; the same step if none of them
    /// has a session, which is taken note of.
    private func decide(
      _ event: Event, _ route: inout ContentRoute
    ) async throws(SceneError) -> ContentRoute.Step {
      let step = step(route, event)
      guard case .ask(let nodes) = step else { return step }
      guard let others = try await candidates(of: nodes, event, &route) else { return .wait }
      return route.choose(best(event), others.map { ($0.node, $0.best) }) ?? step
    }

    /// Looks until a session of another node is found that prefers the content, or this node is to
    /// decide: then it is nil.
    private func find(
      _ event: Event, _ begin: ContentRoute
    ) async throws(SceneError) -> SessionIdentifier? {
      var route = begin
      let deadline = links.elapsed() + Self.patience
      while true {
        let version = feed.version
        var nodes: [Int32] = []
        switch step(route, event) {
        case .here: return nil
        case .send(let node, _): nodes = [node]
        case .ask(let asked): nodes = asked
        case .wait: break
        }
        guard !nodes.isEmpty, let others = try await candidates(of: nodes, event, &route) else {
          try await waitForChange(since: version, until: deadline)
          route.beginAgain()
          continue
        }
        switch route.choose(best(event), others.map { ($0.node, $0.best) }) {
        case .here: return nil
        case .send(let node, _): return others.first { $0.node == node }?.session
        default: break
        }
      }
    }

    /// The best sessions of nodes that are asked; nil if one may be on its way.
    private func candidates(
      of nodes: [Int32], _ event: Event, _ route: inout ContentRoute
    ) async throws(SceneError) -> [(
      node: Int32, best: ContentRoute.Best, session: SessionIdentifier
    )]? {
      var found: [(node: Int32, best: ContentRoute.Best, session: SessionIdentifier)] = []
      for (node, answer) in try await ask(nodes, event) {
        switch answer {
        case .best(let session, let state, let isSource):
          found.append((node, ContentRoute.Best(state, isSource: isSource), session))
        case .nothing, .session: route.note(node, hasNone: .preferring)
        case .moving: return nil
        }
      }
      return found
    }

    private func waitForChange(
      since version: Int, until deadline: Duration
    ) async throws(SceneError) {
      if Task.isCancelled {
        throw SceneError(.cancelled, "the task that looks for the session was cancelled")
      }
      guard links.own != 0 else {
        throw SceneError(
          .systemBusy, "the node is no member of its cluster now", retryAfter: .milliseconds(200))
      }
      let left = deadline - links.elapsed()
      guard left > .zero else {
        throw SceneError(
          .systemBusy, "a session that may show the content is on its way to another node",
          retryAfter: .seconds(1))
      }
      await feed.room.wait(within: min(left, Self.look), links.clock) { feed.version != version }
    }

    /// How long it is waited at most until what is known is looked at again: terms that go are not
    /// waited for.
    private static let look = Duration.milliseconds(50)

    // MARK: - Questions

    /// What has become of a question.
    private enum Sending {
      case sent(AnswerTicket)
      case full
      /// The node is not called any more.
      case gone
    }

    /// Waits for an answer, or until there is room for the question: then it is nil.
    private func answer(
      to sending: Sending, of node: Int32
    ) async throws(SceneError) -> ContentAnswer? {
      switch sending {
      case .sent(let ticket): return try await ticket.value()
      case .gone: return .moving
      case .full:
        await links.room.wait {
          links.withState { state in
            state.peers[node] == nil || state.ledger.hasRoom(node, SceneMessage.sizeLimit)
          }
        }
        return nil
      }
    }

    /// Sends an event to a node.
    private func send(
      _ event: Event, to node: Int32, _ scope: RoutingScope
    ) throws(SceneError) -> Sending {
      var routed = event.routed
      routed.scope = scope
      return try send(.event(routed), to: node)
    }

    private func send(
      _ question: ContentQuestion, to node: Int32
    ) throws(SceneError) -> Sending {
      let message = try question.encoded()
      let ticket = AnswerTicket()
      guard let number = links.answers.enter(nil, ticket.answer) else {
        throw SceneError(.notRunning, "the application is not running")
      }
      let item = LinkItem.question(message, ticket: number)
      let (sending, bell) = links.withState { state -> (Sending, NodeBell?) in
        guard let peer = state.peers[node], !peer.hasParted else { return (.gone, nil) }
        guard state.ledger.hasRoom(node, item.size) else { return (.full, nil) }
        state.ledger.send(item, to: node, size: item.size)
        return (.sent(ticket), peer.bell)
      }
      if let bell { bell.ring() } else { links.answers.forget(number) }
      return sending
    }

    /// Asks nodes for their best sessions that prefer some content.
    private func ask(
      _ nodes: [Int32], _ event: Event
    ) async throws(SceneError) -> [(Int32, ContentAnswer)] {
      let question = ContentQuestion.best(event.identifier, source: event.routed.source)
      var asked: [(Int32, Sending)] = []
      for node in nodes { asked.append((node, try send(question, to: node))) }
      var answers: [(Int32, ContentAnswer)] = []
      for (node, sending) in asked {
        // Nothing was done by a node that is dead: it is asked again if it lives.
        answers.append((node, (try? await answer(to: sending, of: node)) ?? .moving))
      }
      return answers
    }

    // MARK: - Terms

    /// Tells a node what has changed here, in the count of its items.
    @Sendable func tell(_ item: LinkItem, _ node: Int32, _ count: UInt64) {
      let bell = links.withState { state -> NodeBell? in
        guard let peer = state.peers[node], peer.count == count, !peer.hasParted else { return nil }
        state.ledger.send(item, to: node, size: item.size)
        return peer.bell
      }
      bell?.ring()
    }
  }
#endif
