// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import ProsceniumSimulation

  /// Lets happen to a cluster what its seed has chosen.
  struct ClusterScript: Sendable {
    private let world: ClusterWorld

    init(_ world: ClusterWorld) {
      self.world = world
    }

    private var options: ClusterOptions { world.options }

    /// Runs until the time of faults is over, and all of them are.
    func run() async {
      await withTaskGroup { group in
        while world.now < options.time {
          await world.sleep(
            .milliseconds(50) + world.drawShare(of: options.pause))
          guard !options.faults.isEmpty else { continue }
          let fault = options.faults[world.number(below: options.faults.count)]
          // Faults overlap.
          group.addTask { await strike(fault) }
        }
      }
    }

    private func strike(_ fault: ClusterFault) async {
      let lives = world.lives.filter { !$0.isDead }
      guard !lives.isEmpty else { return }
      let life = lives[world.number(below: lives.count)]
      // Shorter than the lease as often as longer.
      let time = options.lease / 10 + world.drawShare(of: options.lease * 5 / 2)
      switch fault {
      case .kill: life.kill()
      case .leave: life.leave()
      case .drain: await life.drain()
      case .freeze: await freeze(life, time)
      case .mute: await mute(life, time)
      case .cut: await cut(life, time)
      case .standstill:
        world.note("the database does not answer for \(time)")
        world.server.pause(for: time)
        await world.sleep(time)
      case .restart: await restart(time)
      case .rollBack: await rollBack(time)
      case .move: move()
      case .tear:
        world.note("the lines of \(life.name) break")
        life.network.breakLines()
      case .part: await world.cut(life, lives[world.number(below: lives.count)], for: time)
      }
    }

    private func freeze(_ life: NodeLife, _ time: Duration) async {
      world.note("\(life.name) is frozen for \(time)")
      life.process.freeze()
      await life.trouble(for: time)
      if !life.isDead { life.process.thaw() }
    }

    private func mute(_ life: NodeLife, _ time: Duration) async {
      world.note("\(life.name) is muted for \(time)")
      world.tell { $0.beginAmbiguity(time + options.lease * 2) }
      life.authority.isMuted = true
      await life.trouble(for: time)
      life.authority.isMuted = false
    }

    private func cut(_ life: NodeLife, _ time: Duration) async {
      let ways: [SimulatedAuthority.Cut] = [.requests, .answers, [.requests, .answers]]
      let way = ways[world.number(below: ways.count)]
      world.note("\(life.name) is cut off for \(time)")
      life.authority.cut.formUnion(way)
      await life.trouble(for: time)
      life.authority.cut.subtract(way)
    }

    private func restart(_ time: Duration) async {
      let pause = world.number(below: 2) == 0 ? .zero : time
      world.note("the database starts again in \(pause)")
      world.server.restart()
      if pause > .zero { world.server.pause(for: pause) }
      await world.sleep(pause)
    }

    private func rollBack(_ time: Duration) async {
      let commits = 1 + world.number(below: 30)
      let before = world.server.goBack(by: commits)
      let after = world.server.database
      world.note("the database goes back by \(commits) commits")
      world.tell { $0.rollBack(before, after) }
      if world.number(below: 2) == 0 {
        world.server.pause(for: time)
        await world.sleep(time)
      }
      // Who has lost what it owned has nothing to tell of it.
      for life in world.lives { life.noteRollBack(before, after) }
    }

    /// Hands slices over behind their owner's back.
    private func move() {
      let database = world.server.database
      let living = database.nodes.filter { !$0.value.isDead }.keys.sorted()
      guard living.count > 1 else { return }
      let (from, to) = (
        living[world.number(below: living.count)], living[world.number(below: living.count)]
      )
      let owned = database.slices.indices.filter { database.slices[$0].owner == from }
      guard from != to, !owned.isEmpty else { return }
      let leaving = [owned[world.number(below: owned.count)]]
      world.note("slices \(leaving) go from node \(from) to \(to)")
      world.tell { $0.beginAmbiguity(options.lease * 2 + .seconds(3)) }
      world.server.change { _ = $0.handOver(leaving, from: from, to: to) }
      world.lookAtDatabase()
    }
  }
#endif
