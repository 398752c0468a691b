// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumSimulation
  import Testing

  /// A slice goes to another node, and the database goes back to the time before.
  @Suite(.timeLimit(.minutes(2))) struct UndoneMoveTests {
    private enum Failure: Error {
      case notServed, nothingRefused, savedNoMore
    }

    private let world: ClusterWorld
    private let executor: SeededExecutor

    private init(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      var options = ClusterOptions(drawing: &random)
      options.machines = 2
      executor = SeededExecutor(seed: seed)
      world = ClusterWorld(seed: seed, options, executor, isTraced: false)
      world.isCalm = true
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    static func `sessions whose save was refused are saved again`(seed: UInt64) throws {
      let test = UndoneMoveTests(seed: seed)
      try test.executor.run(steps: 1_000_000) { try await test.play() }
    }

    private func play() async throws {
      let lives = (1...2).map { NodeLife(world, name: "\($0)") }
      try await withThrowingTaskGroup { group in
        for life in lives {
          // Both live at the same time, on the executor of the seed.
          group.addTask(executorPreference: life.process) {
            await life.live { _ in
              while !world.isOver { await world.sleep(.milliseconds(100)) }
            }
          }
        }
        let result = await Result { try await undo(a: lives[0]) }
        world.isOver = true
        try await group.waitForAll()
        try result.get()
      }
    }

    private func undo(a life: NodeLife) async throws {
      let node = try await served(by: life)
      let session = try await node.application.activateSceneSession().id
      try await node.application.sendDurably("1 1", to: session)
      let slices = world.server.database.slices
      let slice = world.server.database.slice(of: session)
      let (own, other) = try #require(numbers(of: life))
      world.server.change { _ = $0.handOver([slice], from: own, to: other) }
      do {
        try await node.application.sendDurably("1 2", to: session)
        throw Failure.nothingRefused
      } catch let error as SceneError where error.code == .notDurable {}
      // Before the node has looked at the map.
      #expect(node.epoch(of: session) != nil)
      repeat {
        _ = world.server.goBack(by: 1)
      } while world.server.database.slices != slices
      let end = world.now + .seconds(5)
      while world.now < end {
        if (try? await node.application.sendDurably("1 3", to: session)) != nil { return }
        await world.sleep(.milliseconds(50))
      }
      throw Failure.savedNoMore
    }

    /// Waits until a node serves slices.
    private func served(by life: NodeLife) async throws -> ClusterNode {
      while world.now < .seconds(20) {
        let isSettled = world.server.database.slices.allSatisfy { $0.owner != nil }
        if isSettled, let node = life.running, node.status.served > 0 { return node }
        await world.sleep(.milliseconds(50))
      }
      throw Failure.notServed
    }

    /// The number of a node, and that of the other one.
    private func numbers(of life: NodeLife) -> (own: Int32, other: Int32)? {
      let all = world.server.database.nodes.filter { !$0.value.isDead }.keys
      guard let own = life.number, let other = all.first(where: { $0 != own }) else { return nil }
      return (own, other)
    }
  }
#endif
