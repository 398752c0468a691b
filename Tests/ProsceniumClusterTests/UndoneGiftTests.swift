// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import Testing

  /// A node gives its slices away, and the database goes back to the time before.
  @Suite(.timeLimit(.minutes(2))) struct UndoneGiftTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `a session that the database has lost as well is served, or has no row`(
      seed: UInt64
    ) throws {
      try DirectedCluster(seed: seed).run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let slices = world.server.database.slices
        let session = try await node.application.activateSceneSession().id
        try await node.application.sendDurably("1 1", to: session)
        try await node.drain()
        while world.server.database.slices.contains(where: { $0.owner == life.number }) {
          await world.sleep(.microseconds(100))
        }
        // It knows that they are given, and has not read the map yet.
        await world.sleep(.milliseconds(2))
        repeat {
          _ = world.server.goBack(by: 1)
        } while world.server.database.slices != slices || world.server.database.rows[session] != nil
        // What comes first on each new connection that saves is compared with what there is.
        let end = world.now + .seconds(5)
        while world.now < end {
          if let other = try? await node.application.activateSceneSession().id {
            try? await node.application.sendDurably("1 1", to: other)
          }
          await world.sleep(.milliseconds(100))
        }
        if world.server.database.rows[session] == nil { return }
        _ = try await node.application.call("read", to: session)
      }
    }
  }
#endif
