// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import Testing

  /// A node that takes no slices, and sends to the sessions of others.
  @Suite struct SlicelessNodeTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a node that takes no slices has none, lives on and sends to all sessions`(
      seed: UInt64
    ) throws {
      let cluster = DirectedCluster(seed: seed, links: true, firstTakesSlices: false)
      try cluster.run { cluster, life in
        let world = cluster.world
        while !world.server.database.slices.allSatisfy({ $0.owner != nil }) || life.running == nil {
          await world.sleep(.milliseconds(50))
        }
        let node = try #require(life.running)
        let other = try #require(world.lives.first { $0 !== life })
        let session = try await cluster.foreignSession(to: node)
        _ = try await node.application.call("8 2", to: session)
        // Longer than balance or a second claim would wait.
        await world.sleep(.seconds(5))
        let owners = Set(world.server.database.slices.map(\.owner))
        #expect(owners == [other.number] && node.status.served == 0)
        // The application goes on, and so does what it sends.
        #expect(!node.application.isOver)
        _ = try await node.application.call("8 3", to: session)
        // Nor does it inherit what the other one leaves.
        other.kill()
        await world.sleep(world.options.lease * 4)
        #expect(node.status.served == 0 && !node.application.isOver)
      }
    }
  }
#endif
