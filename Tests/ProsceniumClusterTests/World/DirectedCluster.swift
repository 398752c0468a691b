// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumSimulation

  /// Two simulated nodes to which nothing happens but what a test does.
  struct DirectedCluster: Sendable {
    let world: ClusterWorld
    private let executor: SeededExecutor
    private let firstTakesSlices: Bool

    /// What a test expected, and was not so.
    struct Failure: Error {
      let text: String

      init(_ text: String) {
        self.text = text
      }
    }

    init(
      seed: UInt64, links: Bool = false, firstTakesSlices: Bool = true,
      settings change: (inout ClusterOptions) -> Void = { _ in }
    ) {
      self.firstTakesSlices = firstTakesSlices
      var random = SplitMix64(seed: seed)
      var options = ClusterOptions(drawing: &random)
      options.machines = 2
      options.links = links
      change(&options)
      executor = SeededExecutor(seed: seed)
      world = ClusterWorld(seed: seed, options, executor, isTraced: false)
      world.isCalm = true
    }

    /// Lets the nodes live while a test does something with the first of them.
    func run(
      _ body: @escaping @Sendable (DirectedCluster, NodeLife) async throws -> Void
    ) throws {
      try executor.run(steps: 1_000_000) { try await play(body) }
    }

    private func play(
      _ body: @Sendable (DirectedCluster, NodeLife) async throws -> Void
    ) async throws {
      let lives = (1...2).map {
        NodeLife(world, name: "\($0)", takesSlices: $0 > 1 || firstTakesSlices)
      }
      try await withThrowingTaskGroup { group in
        for life in lives {
          // Both live at the same time, on the executor of the seed.
          group.addTask(executorPreference: life.process) {
            await life.live { _ in
              while !world.isOver, !Task.isCancelled { await world.sleep(.milliseconds(100)) }
            }
          }
        }
        let result = await Result { try await body(self, lives[0]) }
        world.isOver = true
        try await group.waitForAll()
        try result.get()
      }
    }

    /// Waits until all slices have owners, and a node serves some; returns it.
    func served(by life: NodeLife) async throws -> ClusterNode {
      while world.now < .seconds(20) {
        let isSettled = world.server.database.slices.allSatisfy { $0.owner != nil }
        if isSettled, let node = life.running, node.status.served > 0 { return node }
        await world.sleep(.milliseconds(50))
      }
      throw Failure("nothing is served")
    }

    /// A session of another node than the given one.
    func foreignSession(to node: ClusterNode) async throws -> SessionIdentifier {
      while world.now < .seconds(30) {
        for life in world.lives {
          guard let other = life.running, other !== node, other.status.served > 0 else { continue }
          let session = try await other.application.host.newSession().id
          try await other.application.sendDurably("9 1", to: session)
          if node.whereabouts(of: session) == .node(address: life.name) { return session }
        }
        await world.sleep(.milliseconds(50))
      }
      throw Failure("no other node serves anything")
    }
  }
#endif
