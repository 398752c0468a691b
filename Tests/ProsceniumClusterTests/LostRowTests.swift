// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import Testing

  /// The database has lost a session that the node cannot write again.
  @Suite(.timeLimit(.minutes(2))) struct LostRowTests {
    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `a session without a row is not acknowledged for long`(seed: UInt64) throws {
      try DirectedCluster(seed: seed).run { cluster, life in
        let node = try await cluster.served(by: life)
        let session = try await node.application.activateSceneSession().id
        try await node.application.sendDurably("1 1", to: session)
        await cluster.world.sleep(.seconds(61))
        // By these the node forgets older commits: also how the session was made.
        for _ in 0..<8 {
          let other = try await node.application.activateSceneSession().id
          try await node.application.sendDurably("1 1", to: other)
        }
        try await node.application.sendDurably("1 2", to: session)
        cluster.world.server.change { $0.rows[session] = nil }
        cluster.world.server.restart()
        let end = cluster.world.now + .seconds(5)
        var number = 3
        while cluster.world.now < end {
          do throws(SceneError) {
            try await node.application.sendDurably("1 \(number)", to: session)
          } catch {
            if error.code == .sessionNotOpen { return }
          }
          number += 1
          await cluster.world.sleep(.milliseconds(50))
        }
        throw DirectedCluster.Failure("the session is acknowledged still")
      }
    }
  }
#endif
