// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// Tells the sessions of a node numbers, and notes what it is told that is durable.
  struct ClusterClient: Sendable {
    private let life: NodeLife
    private let node: ClusterNode
    private let number: Int

    init(_ life: NodeLife, _ node: ClusterNode, number: Int) {
      self.life = life
      self.node = node
      self.number = number
    }

    private var world: ClusterWorld { life.world }

    func run() async {
      var count = 0
      while !Task.isCancelled, !world.isOver {
        await world.nap(.milliseconds(20 + world.number(below: 300)))
        if life.isDead { return }
        count += 1
        await act(&count)
      }
    }

    private func act(_ count: inout Int) async {
      let known = world.tell(\.known)
      switch world.number(below: 20) {
      case 0..<3 where known.count < 10: await makeSession(count)
      case 3..<6 where !known.isEmpty:
        await life.disconnect(known[world.number(below: known.count)])
      case _ where known.isEmpty: await makeSession(count)
      case 6..<10: await call(known[world.number(below: known.count)], count)
      case 10..<13 where world.options.links:
        await tell(known[world.number(below: known.count)], &count)
      case 13 where world.options.links: await open(known[world.number(below: known.count)])
      case 14..<16 where world.options.links: await deliver(count)
      default: await send(known[world.number(below: known.count)], count)
      }
    }

    private func makeSession(_ count: Int) async {
      let group = world.number(below: 3)
      let name = group == 0 ? nil : SceneGroup(rawValue: "group \(world.number(below: 4))")
      guard let session = try? await node.application.host.newSession(group: name).id else {
        return
      }
      await send(session, count)
    }

    /// Brings a session to the foreground, wherever it is.
    private func open(_ session: SessionIdentifier) async {
      await ask(session) { () throws(SceneError) in
        let request = SceneSessionActivationRequest(session: session)
        let opened = try await node.application.activateSceneSession(for: request).id
        guard opened != session else { return }
        world.tell { $0.find("session \(opened) was opened for \(session)") }
      }
    }

    /// Lets an event find the session that shows its content, wherever that is.
    private func deliver(_ count: Int) async {
      let event = "\(number).\(count)"
      let result = await Result { () async throws(SceneError) in
        try await node.application.deliver(
          .url(
            OpenURLContext(
              "content \(world.number(below: 6))", options: .init(sourceApplication: event)))
        ).id
      }
      if case .failure(let error) = result { world.note("\(life.name), event \(event): \(error)") }
      world.tell { $0.answer(event, result) }
    }

    private func call(_ session: SessionIdentifier, _ count: Int) async {
      await ask(session) { () throws(SceneError) in
        _ = try await node.application.call("\(number) \(count)", to: session)
      }
    }

    private func send(_ session: SessionIdentifier, _ count: Int) async {
      await ask(session) { () throws(SceneError) in
        try await node.application.sendDurably("\(number) \(count)", to: session)
        life.acknowledge(session, number, count)
      }
    }

    /// Sends messages without waiting for anything.
    private func tell(_ session: SessionIdentifier, _ count: inout Int) async {
      for _ in 0...world.number(below: 4) {
        count += 1
        await ask(session) { [count] () throws(SceneError) in
          try node.application.send("\(number) \(count)", to: session)
          world.tell { [number] in $0.accept(session, number, count) }
        }
      }
    }

    /// Asks a session something; one that is served cannot be unknown.
    private func ask(
      _ session: SessionIdentifier, _ body: () async throws(SceneError) -> Void
    ) async {
      do throws(SceneError) {
        try await body()
      } catch {
        world.note("\(life.name), \(number), of \(session): \(error)")
        guard error.code == .sessionNotOpen, life.isOwner(of: session),
          node.whereabouts(of: session) == .here
        else { return }
        world.tell { [life] in $0.deny(session, by: life.name) }
      }
    }
  }
#endif
