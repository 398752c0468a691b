// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import Testing

  /// A slice goes to another node, and the database goes back to the time before.
  @Suite(.timeLimit(.minutes(2))) struct UndoneMoveTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `sessions whose save was refused are saved again`(seed: UInt64) throws {
      try DirectedCluster(seed: seed).run { cluster, life in
        let world = cluster.world
        let node = try await cluster.served(by: life)
        let session = try await node.application.activateSceneSession().id
        try await node.application.sendDurably("1 1", to: session)
        let slices = world.server.database.slices
        let slice = world.server.database.slice(of: session)
        let (own, other) = try #require(numbers(of: life))
        world.server.change { _ = $0.handOver([slice], from: own, to: other) }
        let refusal = await #expect(throws: SceneError.self) {
          try await node.application.sendDurably("1 2", to: session)
        }
        #expect(refusal?.code == .notDurable)
        repeat {
          _ = world.server.goBack(by: 1)
        } while world.server.database.slices != slices
        let end = world.now + .seconds(5)
        while world.now < end {
          if (try? await node.application.sendDurably("1 3", to: session)) != nil { return }
          await world.sleep(.milliseconds(50))
        }
        throw DirectedCluster.Failure("nothing is saved any more")
      }
    }

    /// The number of a node, and that of the other one.
    private func numbers(of life: NodeLife) -> (own: Int32, other: Int32)? {
      let all = life.world.server.database.nodes.filter { !$0.value.isDead }.keys
      guard let own = life.number, let other = all.first(where: { $0 != own }) else { return nil }
      return (own, other)
    }
  }
#endif
