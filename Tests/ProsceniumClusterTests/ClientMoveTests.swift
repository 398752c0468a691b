// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  /// Clients that are attached to sessions while these move from node to node.
  @Suite(.timeLimit(.minutes(5))) struct ClientMoveTests {
    /// Makes sessions of a node, and a client for each.
    private static func clients(
      _ count: Int, of life: NodeLife, _ node: ClusterNode
    ) async throws -> [AttachedClient] {
      var clients: [AttachedClient] = []
      for number in 1...count {
        let session = try await node.application.host.newSession().id
        clients.append(AttachedClient(life.world, session, number: number, at: life.name))
      }
      return clients
    }

    /// Waits until all clients were attached to two nodes, and were shown something by the second.
    private static func waitForMoves(
      _ clients: [AttachedClient], _ world: ClusterWorld
    ) async throws {
      while world.now < .seconds(60) {
        if clients.allSatisfy({ $0.result.nodes.count == 2 }) {
          return await world.sleep(.milliseconds(300))
        }
        await world.sleep(.milliseconds(50))
      }
      throw DirectedCluster.Failure("not all clients have gone on")
    }

    /// Lets clients talk while a test does something; ends when all is acknowledged.
    private static func talk(
      _ clients: [AttachedClient], while body: () async throws -> Void
    ) async throws {
      try await withThrowingTaskGroup { group in
        for client in clients {
          // Each for itself, as programs on other machines.
          group.addTask { await client.run() }
        }
        try await body()
        for client in clients { client.finish() }
        try await group.waitForAll()
      }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `a drain costs clients no input and no frame`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true) {
        if seed % 2 == 0 { $0.durability = .everyEvent }
      }
      try cluster.run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let clients = try await Self.clients(6, of: life, node)
        try await Self.talk(clients) {
          await world.sleep(.milliseconds(300 + world.number(below: 500)))
          await life.drain()
          try await Self.waitForMoves(clients, world)
        }
        for client in clients {
          let result = client.result
          #expect(result.acknowledged == result.sent && result.shown == result.sent)
          #expect(result.resets.isEmpty)
          #expect(result.moves == 1 && result.nodes.count == 2 && result.epochs.count == 2)
        }
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `clients go on where they were if the slices could not be given away`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let clients = try await Self.clients(6, of: life, node)
        world.refusedGifts.withLock { $0 = 2 }
        try await Self.talk(clients) {
          await world.sleep(.milliseconds(300))
          await life.drain()
          try await Self.waitForMoves(clients, world)
        }
        #expect(clients.allSatisfy { $0.result.resets.isEmpty })
        #expect(clients.allSatisfy { $0.result.shown == $0.result.sent })
        #expect(clients.contains { $0.result.moves > 1 })
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a node that is cut off says nothing after its pause, and ends its lines by then`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true) { $0.durability = .everyEvent }
      try cluster.run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let clients = try await Self.clients(6, of: life, node)
        try await Self.talk(clients) {
          await world.sleep(.milliseconds(300))
          let begin = world.now
          life.authority.cut = [.requests, .answers]
          while world.now < begin + world.options.lease * 77 / 100 {
            await world.sleep(.milliseconds(10))
          }
          // No line is left: the node may not serve until it is buried, or answered again.
          for client in clients {
            #expect(client.result.lastEnd.map { $0 >= begin } ?? false)
            #expect(!client.isAttached)
          }
          try await Self.waitForMoves(clients, world)
          life.authority.cut = []
        }
        for client in clients {
          #expect(client.result.acknowledged == client.result.sent)
          #expect(client.result.shown == client.result.sent)
        }
      }
      // What was applied and not committed is applied again.
      let findings = cluster.world.tell(\.findings)
      #expect(findings.filter { $0.contains("client ") || $0.contains("pause") } == [])
    }

    @Test(arguments: [(1_200, true), (30_000, false)], 1...3 as ClosedRange<UInt64>)
    func `frames that a client has not seen go with it up to a bound, above it it gets a reset`(
      _ case: (frameSize: Int, isBelow: Bool), seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true) { $0.frameSize = `case`.frameSize }
      try cluster.run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let clients = try await Self.clients(4, of: life, node)
        try await Self.talk(clients) {
          while clients.contains(where: { $0.result.lastSeen == nil }) {
            await world.sleep(.milliseconds(1))
          }
          for client in clients { client.stopReading() }
          let ends = clients.map { $0.result.sent + 25 }
          while zip(clients, ends).contains(where: { $0.result.sent < $1 }) {
            await world.sleep(.milliseconds(5))
          }
          for client in clients { client.finish() }
          await world.sleep(.milliseconds(100))
          await life.drain()
          while node.status.served > 0 { await world.sleep(.milliseconds(20)) }
          for client in clients { client.read() }
        }
        for client in clients {
          #expect(client.result.resets.isEmpty == `case`.isBelow)
          #expect(client.result.resets.allSatisfy { $0 == .overflow })
          #expect(client.result.shown == client.result.sent && client.result.moves == 1)
        }
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }
  }
#endif
