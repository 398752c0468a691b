// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  /// A slice is to be read again, since a row of it is lost, and the database goes back before that
  /// is done.
  @Suite(.timeLimit(.minutes(2))) struct ReadAgainTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `a session that was made before a slice is read again is served, or has no row`(
      seed: UInt64
    ) throws {
      // All sessions of the node are in one slice.
      let cluster = DirectedCluster(seed: seed) { $0.sliceBits = 1 }
      try cluster.run { cluster, life in
        let (world, server) = (cluster.world, cluster.world.server)
        let node = try await cluster.served(by: life)
        let old = try await node.application.activateSceneSession().id
        try await node.application.sendDurably("1 1", to: old)
        await world.sleep(.seconds(61))
        // By these the node forgets how the session was made.
        for _ in 0..<8 { _ = try await durableSession(of: node) }
        try await node.application.sendDurably("1 2", to: old)
        server.change { $0.rows[old] = nil }
        server.restart()
        // The connection that saves it sees that the old one is lost. What is refused is so until
        // the slice has been read again.
        var made: SessionIdentifier?
        while made.map({ $0.spread >> 63 == old.spread >> 63 }) != true {
          try #require(world.now < .seconds(120))
          made = try? await durableSession(of: node)
          if made == nil { await world.sleep(.milliseconds(20)) }
        }
        let session = try #require(made)
        while server.database.rows[session] != nil { _ = server.goBack(by: 1) }
        // In that time the slice is read again, if that is still to be done, and nothing is saved.
        await world.sleep(.seconds(3))
        let end = world.now + .seconds(5)
        while world.now < end {
          _ = try? await durableSession(of: node)
          await world.sleep(.milliseconds(100))
        }
        if server.database.rows[session] == nil { return }
        _ = try await node.application.call("read", to: session)
      }
    }

    private func durableSession(of node: ClusterNode) async throws -> SessionIdentifier {
      let session = try await node.application.activateSceneSession().id
      try await node.application.sendDurably("1 1", to: session)
      return session
    }
  }
#endif
