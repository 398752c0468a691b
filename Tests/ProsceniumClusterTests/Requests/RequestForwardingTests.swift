// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  /// Requests about sessions that another node serves, or is to make.
  @Suite struct RequestForwardingTests {
    private static func state(
      _ session: SessionIdentifier, in cluster: DirectedCluster
    ) -> Scene.ActivationState? {
      let owner = cluster.world.lives.first { $0.isOwner(of: session) }?.running
      return owner?.application.scene(for: session)?.activationState
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `each request reaches a session of another node, and is answered when it has run`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        let host = node.application.host
        try await host.perform(.background(session))
        #expect(Self.state(session, in: cluster) == .background)
        try await node.application.requestSceneSessionRefresh(session)
        try await host.perform(.disconnect(session))
        #expect(Self.state(session, in: cluster) == nil)
        try await host.perform(.connect(session))
        #expect(Self.state(session, in: cluster) == .background)
        let activated = try await node.application.activateSceneSession(
          for: SceneSessionActivationRequest(session: session))
        #expect(activated.id == session && activated.configuration.name == "Counting")
        #expect(Self.state(session, in: cluster) == .foregroundActive)
        try await host.perform(.interrupt(session))
        #expect(Self.state(session, in: cluster) == .foregroundInactive)
        try await host.perform(.resume(session))
        try await host.perform(.open(session, hold: true))
        #expect(Self.state(session, in: cluster) == .foregroundActive)
        try await node.application.requestSceneSessionDestruction(session)
        let error = await #expect(throws: SceneError.self) {
          try await host.perform(.close(session))
        }
        #expect(error?.code == .sessionNotOpen)
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test func `what the owner refuses is thrown where the request was made`() throws {
      let cluster = DirectedCluster(seed: 4, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        try await node.application.host.perform(.open(session))
        let error = await #expect(throws: SceneError.self) {
          try await node.application.host.perform(.disconnect(session))
        }
        #expect(error?.code == .notInBackground && error?.session == session)
        // A refresh of a session that is not open is left alone, wherever it would be.
        let unknown = SessionIdentifier(high: session.high, low: session.low &+ 1)
        try await node.application.requestSceneSessionRefresh(unknown)
      }
    }

    @Test(arguments: [5, 6, 7] as [UInt64])
    func `a request comes behind what its sender has sent before`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        let failures = Guarded<[SceneError]>([])
        for number in 1...20 {
          try node.application.send("1 \(number)", to: session)
          if number == 10 { cluster.world.lives[1].network.breakLines() }
        }
        node.application.submit(.destroy(session)) { error in
          failures.withLock { $0.append(error) }
        }
        // It is gone when this is refused, and all messages have come before.
        await #expect(throws: SceneError.self) {
          try await node.application.call("1 21", to: session)
        }
        #expect(failures.withLock { $0 }.isEmpty)
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
      #expect(cluster.world.tell(\.losses) == 0)
    }

    @Test func `a new session of a group is made by the node that has the group's place`() throws {
      let cluster = DirectedCluster(seed: 8, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        var makers: Set<String> = []
        for number in 0..<16 {
          let group = SceneGroup(rawValue: "group \(number)")
          let made = try await node.application.host.newSession(group: group, owner: "ann")
          let asked = try await node.application.activateSceneSession(
            for: SceneSessionActivationRequest(
              userActivity: UserActivity("show"),
              options: Scene.ActivationRequestOptions(group: group)))
          #expect(made.group == group && made.owner == "ann" && asked.group == group)
          for session in [made.id, asked.id] {
            let maker = cluster.world.lives.first { $0.isOwner(of: session) }
            makers.insert(maker?.name ?? "none")
            #expect(maker?.running?.application.session(session)?.group == group)
          }
        }
        #expect(makers == ["1", "2"])
      }
    }

    @Test func `the saved state of a session of another node stays there`() throws {
      let cluster = DirectedCluster(seed: 9, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        let activated = try await node.application.activateSceneSession(
          for: SceneSessionActivationRequest(session: session))
        let error = #expect(throws: SceneError.self) { try activated.savedState() }
        #expect(error?.code == .stateUnavailable)
      }
    }

    @Test(arguments: 10...29 as ClosedRange<UInt64>)
    func `a request waits while slices move, and is carried out once`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        let owner = try #require(cluster.world.lives.first { $0.isOwner(of: session) }?.running)
        try await owner.drain()
        while owner.whereabouts(of: session) == .here {
          try await node.application.host.perform(.background(session))
          try await node.application.host.perform(.open(session))
          await cluster.world.sleep(.milliseconds(cluster.world.number(below: 20)))
        }
        try await node.application.host.perform(.open(session))
        #expect(node.application.scene(for: session)?.activationState == .foregroundActive)
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 30...39 as ClosedRange<UInt64>)
    func `scenes of a node that is drained come back where they were`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        var sessions: [SessionIdentifier] = []
        for _ in 0..<3 { sessions.append(try await cluster.foreignSession(to: node)) }
        let host = node.application.host
        for session in sessions { try await host.perform(.open(session)) }
        try await host.perform(.background(sessions[1]))
        try await host.perform(.background(sessions[2]))
        try await host.perform(.disconnect(sessions[2]))
        let owner = cluster.world.lives.first { $0.isOwner(of: sessions[0]) }?.running
        try await owner?.drain()
        while sessions.contains(where: { node.whereabouts(of: $0) != .here }) {
          await cluster.world.sleep(.milliseconds(10))
        }
        await node.application.settle()
        #expect(
          sessions.map { node.application.scene(for: $0)?.activationState }
            == [.foregroundActive, .background, nil])
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }
  }
#endif
