// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumSimulation

  /// One seed: a cluster on one database, with everything that happens to it.
  struct ClusterSimulation: Sendable {
    let seed: UInt64
    var options: ClusterOptions

    /// What a cluster came to.
    struct Outcome: Sendable, Equatable {
      var findings: [String] = []
      /// What happened, if it was to be taken down.
      var lines: [String] = []
      var steps = 0
      var acknowledgements = 0
      var loads = 0
      var burials = 0
      var losses = 0
    }

    init(seed: UInt64) {
      self.seed = seed
      var random = SplitMix64(seed: seed, stream: 1)
      options = ClusterOptions(drawing: &random)
    }

    /// Runs the cluster on the caller's thread.
    func run(isTraced: Bool = false) -> Outcome {
      let executor = SeededExecutor(seed: seed)
      let world = ClusterWorld(seed: seed, options, executor, isTraced: isTraced)
      world.note("\(options)")
      do {
        try executor.run(steps: 500_000) { await play(world) }
      } catch {
        world.tell { $0.find("\(error)") }
      }
      return world.tell { model in
        Outcome(
          findings: model.findings, lines: world.lines, steps: executor.steps,
          acknowledgements: model.acknowledgements, loads: model.loads, burials: model.burials,
          losses: model.losses)
      }
    }

    private func play(_ world: ClusterWorld) async {
      await withTaskGroup { group in
        for number in 1...options.machines {
          // All at the same time, on the executor of the seed.
          group.addTask { await SimulatedMachine(world, number: number).run() }
        }
        await ClusterScript(world).run()
        world.note("nothing goes wrong from here on")
        world.isCalm = true
        await ClusterAudit(world).waitUntilServed()
        world.isOver = true
      }
      await ClusterAudit(world).finish()
    }
  }

  /// A machine on which one process of the cluster follows the other.
  struct SimulatedMachine: Sendable {
    private let world: ClusterWorld
    private let number: Int

    init(_ world: ClusterWorld, number: Int) {
      self.world = world
      self.number = number
    }

    func run() async {
      var count: Int32 = 0
      while !world.isOver {
        count += 1
        let life = NodeLife(
          world, name: "\(number).\(count)", build: world.options.deploys ? min(count, 2) : 1)
        await withTaskGroup { group in
          group.addTask(executorPreference: life.process) {
            await life.live { await life.serveClients($0) }
          }
          // One that is killed before it serves has nothing else that ends it.
          // Watches while the node lives.
          group.addTask { await life.waitForKill() }
          await group.next()
          group.cancelAll()
        }
        await world.sleep(.milliseconds(world.number(below: 3_000)))
      }
    }
  }
#endif
