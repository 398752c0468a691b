// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumSimulation
  import Testing

  /// Messages for sessions that another node serves.
  @Suite struct ForwardingTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a call, a durable message and plain ones reach a session of another node, in order`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        for number in 1...50 {
          try node.application.send("1 \(number)", to: session)
          if number % 10 == 0 { cluster.world.lives[number / 10 % 2].network.breakLines() }
        }
        try await node.application.sendDurably("1 51", to: session)
        let reply = try await node.application.call("1 52", to: session)
        #expect(reply.string == "1:52,9:1")
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: [5, 6, 7] as [UInt64])
    func `what a node has accepted reaches the others before its end`(seed: UInt64) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        for number in 1...100 { try node.application.send("1 \(number)", to: session) }
        life.leave()
        while !node.application.isOver { await cluster.world.sleep(.milliseconds(20)) }
        let other = try #require(cluster.world.lives.first { $0.isOwner(of: session) }?.running)
        while cluster.world.now < .seconds(40) {
          let reply = try await other.application.call("read", to: session)
          if reply.string == "1:100,9:1" { return }
          await cluster.world.sleep(.milliseconds(20))
        }
        throw DirectedCluster.Failure("not everything has arrived")
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `a call to a session that has just come is behind what was sent to its node before`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true)
      try cluster.run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        try await node.application.host.perform(.open(session))
        let donor = try #require(world.lives.first { $0.isOwner(of: session) })
        try await donor.running?.drain()
        let slice = world.server.database.slice(of: session)
        while world.server.database.slices[slice].owner != life.number {
          await world.nap(.microseconds(100))
        }
        // It does not answer what it is sent now.
        donor.process.freeze()
        for number in 1...3 { try node.application.send("1 \(number)", to: session) }
        // The word of the donor can be lost: then the call connects the scene.
        let end = world.now + .milliseconds(500)
        while node.application.scene(for: session) == nil, world.now < end {
          await world.nap(.milliseconds(1))
        }
        _ = world.spawner.start {
          await world.nap(.milliseconds(10))
          donor.process.thaw()
        }
        let reply = try await node.application.call("1 4", to: session)
        #expect(reply.string == "1:4,9:1")
        await node.application.settle()
      }
      #expect(cluster.world.tell(\.findings).isEmpty)
    }

    @Test func `what another node knows to be wrong is thrown where the call was made`() throws {
      let cluster = DirectedCluster(seed: 4, links: true)
      try cluster.run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        // One that was never there, in the same slice.
        let unknown = SessionIdentifier(high: session.high, low: session.low &+ 1)
        let error = await #expect(throws: SceneError.self) {
          try await node.application.call("1 1", to: unknown)
        }
        #expect(error?.code == .sessionNotOpen)
      }
    }
  }
#endif
