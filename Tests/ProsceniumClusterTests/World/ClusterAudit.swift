// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster

  /// Looks at a cluster to which nothing happens any more.
  struct ClusterAudit: Sendable {
    private let world: ClusterWorld

    init(_ world: ClusterWorld) {
      self.world = world
    }

    private var options: ClusterOptions { world.options }

    /// Waits until every session is served, those of parked slices when they were released.
    func waitUntilServed() async {
      await waitForMembers()
      await waitForAll()
      for slice in parkedSlices {
        // One that has just been buried does not know it.
        let owner = world.server.database.slices[slice].owner
        for life in world.lives where life.number == owner && life.serves(slice) {
          world.tell { $0.find("\(life.name) serves slice \(slice), which is to be parked") }
        }
      }
      releaseParked()
      await waitForAll()
      await waitForDrops()
      await waitForShares()
    }

    /// Waits until no node has anything to give to another one.
    private func waitForShares() async {
      let end = end
      while options.balances {
        let database = world.server.database
        let builds = database.members().map { ($0.number, $0.build) }
        let owners = database.slices.compactMap(\.owner).map { ($0, 1) }
        let balance = SliceBalance(
          Dictionary(owners, uniquingKeysWith: +), builds: Dictionary(uniqueKeysWithValues: builds),
          of: database.slices.count)
        let moves = builds.compactMap { balance.move(of: $0.0) }
        if moves.isEmpty { return }
        guard world.now < end else {
          return world.tell { $0.find("slices have not moved, in the end: \(moves)") }
        }
        await world.sleep(.milliseconds(100))
      }
    }

    /// Waits until no node has sessions that are another's.
    private func waitForDrops() async {
      let end = end
      while true {
        var foreign: [String] = []
        for life in world.lives {
          let sessions = life.running?.application.openSessions.map(\.id) ?? []
          for session in sessions where !life.serves(world.server.database.slice(of: session)) {
            foreign.append("\(session) with \(life.name)")
          }
        }
        if foreign.isEmpty { return }
        guard world.now < end else {
          return world.tell { [foreign] in $0.find("sessions are left over: \(foreign)") }
        }
        await world.sleep(.milliseconds(100))
      }
    }

    /// Lets parked slices be served, as an operator does.
    private func releaseParked() {
      for slice in parkedSlices.sorted() {
        world.server.change { $0.release(slice) }
        world.tell { $0.release(slice) }
      }
    }

    private var parkedSlices: Set<Int> {
      world.tell { model in Set(model.slices.indices.filter { model.isParked($0) }) }
    }

    /// How long everything may take from here on.
    private var end: Duration { world.now + options.lease * 3 + .seconds(10) }

    /// Waits until the members are those that run.
    private func waitForMembers() async {
      let end = end
      while true {
        let lives = world.lives.filter { !$0.isDead }
        let members = Set(world.server.database.members().map(\.number))
        if members == Set(lives.compactMap(\.number)), members.count == options.machines { return }
        guard world.now < end else {
          return world.tell { $0.find("the members are \(members.sorted()), in the end") }
        }
        await world.sleep(.milliseconds(100))
      }
    }

    private func waitForAll() async {
      let end = end
      var waiting = world.server.database.rows.keys.sorted()
      while !waiting.isEmpty {
        guard world.now < end else {
          return world.tell { [waiting] in $0.find("not served in time: \(waiting)") }
        }
        var left: [SessionIdentifier] = []
        for session in waiting where await !isServed(session) { left.append(session) }
        let parked = parkedSlices
        waiting = left.filter { !parked.contains(world.server.database.slice(of: $0)) }
        await world.sleep(.milliseconds(100))
      }
    }

    /// Connects a session with what is kept of it, and writes it.
    private func isServed(_ session: SessionIdentifier) async -> Bool {
      let slice = world.server.database.slice(of: session)
      for life in world.lives where life.serves(slice) {
        guard let node = life.running else { continue }
        do {
          await life.disconnect(session)
          _ = try await node.application.call("read", to: session)
          try await node.application.sendDurably("read", to: session)
          return true
        } catch {
          world.note("the audit of \(session) with \(life.name): \(error)")
        }
      }
      return false
    }

    /// Loads every session with a node that was not there before.
    func finish() async {
      // A node can have been buried since.
      releaseParked()
      let life = NodeLife(world, name: "audit")
      await withTaskGroup { group in
        group.addTask(executorPreference: life.process) { [world] in
          await life.live { node in
            for session in world.server.database.rows.keys.sorted() {
              do {
                _ = try await node.application.call("read", to: session)
              } catch {
                world.tell { $0.find("session \(session) cannot be loaded: \(error)") }
              }
            }
          }
        }
      }
      let rows = Set(world.server.database.rows.keys)
      world.tell { $0.finish(rows) }
    }
  }
#endif
