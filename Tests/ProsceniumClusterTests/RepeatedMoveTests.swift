// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumSimulation
  import Testing

  /// A slice goes to a node, the database goes back to the time before, and the slice goes to the
  /// node a second time.
  ///
  /// The node did not look in between, and owners and epochs are those that it knows.
  @Suite(.timeLimit(.minutes(2))) struct RepeatedMoveTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `what the owner before has acknowledged in the meantime is there`(seed: UInt64) throws {
      try DirectedCluster(seed: seed).run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let session = try await cluster.foreignSession(to: node)
        let donor = try #require(world.lives.first { $0 !== life })
        let slice = world.server.database.slice(of: session)
        let slices = world.server.database.slices
        move(slice, from: donor, to: life)
        try await send("1 1", to: session, of: life)
        life.process.freeze()
        repeat {
          _ = world.server.goBack(by: 1)
        } while world.server.database.slices != slices
        try await send("2 1", to: session, of: donor)
        move(slice, from: donor, to: life)
        life.process.thaw()
        try await send("3 1", to: session, of: life)
        await life.disconnect(session)
        let counts = try await node.application.call("read", to: session).string
        #expect(counts == "2:1,3:1,9:1")
      }
    }

    private func move(_ slice: Int, from donor: NodeLife, to receiver: NodeLife) {
      guard let own = donor.number, let other = receiver.number else { return }
      donor.world.server.change { _ = $0.handOver([slice], from: own, to: other) }
    }

    /// Tells a session of a node something as soon as the node has it.
    private func send(
      _ message: String, to session: SessionIdentifier, of life: NodeLife
    ) async throws {
      let end = life.world.now + .seconds(5)
      while life.world.now < end {
        do {
          try await life.running?.application.sendDurably(SceneMessage(message), to: session)
          return
        } catch {
          await life.world.sleep(.milliseconds(20))
        }
      }
      throw DirectedCluster.Failure("\(message) is not acknowledged")
    }
  }
#endif
