// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import Logging
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumSimulation

  /// One process of a simulated cluster, from its start to its end, in order or not.
  final class NodeLife: Sendable {
    let world: ClusterWorld
    let name: String
    private let build: Int32
    private let takesSlices: Bool
    let process: SeededProcess
    let authority: SimulatedAuthority
    let network: SimulatedNetwork
    private let clock: NodeClock
    private let node = Guarded<ClusterNode?>(nil)
    private let dead = Guarded(false)
    private let leaving = Guarded(false)
    private let (kills, killer) = AsyncStream.makeStream(of: Never.self)
    /// How many troubles it has now, and when it had the last one.
    private let troubles = Guarded<(count: Int, last: Duration)>((0, .zero))

    init(_ world: ClusterWorld, name: String, build: Int32 = 1, takesSlices: Bool = true) {
      self.world = world
      self.name = name
      self.build = build
      self.takesSlices = takesSlices
      process = SeededProcess(world.executor)
      authority = SimulatedAuthority(world, name: name)
      network = SimulatedNetwork(world, name: name)
      // Two percent are more than any quartz.
      clock = NodeClock(world: world.executor.clock, drift: world.number(below: 40_001) - 20_000)
    }

    /// The node, once it serves.
    var running: ClusterNode? { node.withLock { $0 } }

    /// Whether it was killed.
    var isDead: Bool { dead.withLock { $0 } }

    /// Its number, if it has one.
    var number: Int32? { running?.status.number }

    private var configuration: ClusterNode.Configuration {
      var node = ClusterSettings(name: name, address: name)
      node.build = build
      node.takesSlices = takesSlices
      node.lease = world.options.lease
      node.settleTime = .milliseconds(500)
      node.balancePause = world.options.balances ? .seconds(1) : nil
      node.deathLimit = world.options.deathLimit
      var settings = ApplicationSettings()
      settings.taskExecutor = process
      settings.clock = clock
      settings.wallClock = { [clock] in
        Date(timeIntervalSince1970: Double(clock.now.offset.components.seconds))
      }
      settings.shards = 2
      if let durability = world.options.durability { settings.durability = durability }
      settings.identifiers = SessionIdentifierSource { [world] in
        world.draw { SessionIdentifier(high: $0.next(), low: $0.next()) }
      }
      settings.observedTopics = .all
      settings.observer = { [weak self] in self?.see($0) }
      return ClusterNode.Configuration(
        manifest: [
          SceneConfiguration("Counting", initialConditions: CountingDelegate.conditions) {
            CountingDelegate(self)
          }
        ],
        authority: authority, node: node, network: world.options.links ? network : nil,
        settings: settings,
        log: Logger(label: "node") { _ in SwiftLogNoOpLogHandler() })
    }

    private func see(_ event: LifecycleEvent) {
      if case .lost(.message(let message)) = event.kind, let session = event.session {
        world.note("\(name) tells of \(session): \(message.string) is lost")
        return world.tell { $0.tellLoss(of: message.string, session) }
      }
      guard case .failed(let error) = event.kind, error.code == .notDurable,
        let session = event.session
      else { return }
      world.note("\(name) tells of \(session): \(error)")
      world.tell { $0.tellLoss(of: session) }
    }

    /// Runs until its clients have ended, or it is killed.
    func live(_ body: @escaping @Sendable (ClusterNode) async -> Void) async {
      world.note("\(name) starts")
      world.enter(self)
      do {
        try await ClusterNode.withRunning(configuration) { [self] node in
          self.node.withLock { $0 = node }
          if isDead { node.abandon() }
          await body(node)
        }
        world.note("\(name) has ended")
      } catch {
        world.note("\(name) has ended: \(error)")
        if world.isOver, !isDead {
          world.tell { [name] in $0.find("\(name) has ended with \(error)") }
        }
      }
      world.remove(self)
      world.tell { [name] in $0.silence(name) }
    }

    /// Lets clients talk to the node's sessions.
    func serveClients(_ node: ClusterNode) async {
      await withTaskGroup { group in
        for _ in 0..<2 {
          let number = world.tell { $0.nextClient() }
          // Clients do not wait for one another.
          group.addTask { await ClusterClient(self, node, number: number).run() }
        }
      }
    }

    /// Lets go of a session's scene, so that the next message has to read what is kept.
    func disconnect(_ session: SessionIdentifier) async {
      try? await running?.application.host.perform(.background(session))
      try? await running?.application.host.perform(.disconnect(session))
    }

    // MARK: - What happens to it

    /// Whether nothing has happened to it for some time.
    var isWell: Bool {
      let (count, last) = troubles.withLock { $0 }
      return !isDead && count == 0 && world.now - last > world.options.lease
        && running?.application.isOver == false
    }

    /// Lets something happen to it for a time.
    func trouble(for time: Duration) async {
      troubles.withLock { $0.count += 1 }
      await world.sleep(time)
      let now = world.now
      troubles.withLock { $0 = ($0.count - 1, now) }
    }

    /// Ends the process at once.
    func kill() {
      guard !isDead else { return }
      world.note("\(name) is killed")
      world.tell { $0.noteTrouble() }
      dead.withLock { $0 = true }
      authority.sever()
      network.sever()
      world.tell { [name] in $0.silence(name) }
      running?.abandon()
      process.thaw()
      killer.finish()
    }

    /// Waits until the process is killed.
    func waitForKill() async {
      for await _ in kills {}
    }

    /// Ends the process in order.
    func leave() {
      // One that does not serve yet cannot be told.
      guard let running else { return }
      leaving.withLock { $0 = true }
      world.note("\(name) leaves")
      running.application.shutDown()
    }

    /// Lets the process give its slices to others and end, if it is a node.
    func drain() async {
      guard let running else { return }
      world.note("\(name) drains")
      try? await running.drain()
    }

    // MARK: - What it believes

    /// Whether it serves a slice, as it believes; at its end it takes its scenes away, whatever it
    /// owns.
    func serves(_ slice: Int) -> Bool {
      serving.map { $0.whereabouts(of: first(of: slice)) == .here } ?? false
    }

    /// The slices that it serves, as it believes.
    var served: [Int] {
      guard let serving else { return [] }
      return (0..<1 << world.options.sliceBits).filter {
        serving.whereabouts(of: first(of: $0)) == .here
      }
    }

    /// The node, if it serves.
    private var serving: ClusterNode? {
      if isDead || leaving.withLock({ $0 }) { return nil }
      guard let node = running, node.status.isServing, !node.application.isOver else {
        return nil
      }
      return node
    }

    /// Whether it has a session's slice in the epoch that is in force.
    func isOwner(of session: SessionIdentifier) -> Bool {
      let database = world.server.database
      let slice = database.slices[database.slice(of: session)]
      return running?.epoch(of: session) == slice.epoch && slice.owner == number
    }

    /// The epoch in which it serves a slice.
    func epoch(of slice: Int) -> UInt32? { running?.epoch(of: first(of: slice)) }

    private func first(of slice: Int) -> SessionIdentifier {
      SessionIdentifier(high: UInt64(slice) << UInt64(64 - world.options.sliceBits), low: 0)
    }

    /// Takes note of what a roll-back has cost it: of what it lost it has nothing to tell.
    func noteRollBack(_ before: SimulatedDatabase, _ after: SimulatedDatabase) {
      guard let node = authority.node else { return }
      let owned = before.slices.indices.filter { before.slices[$0].owner == node }
      guard
        after.nodes[node] == nil || owned.contains(where: { before.slices[$0] != after.slices[$0] })
      else { return }
      world.tell { [name] in $0.silence(name) }
    }

    /// Tells the model that something is durable.
    func acknowledge(_ session: SessionIdentifier, _ client: Int, _ number: Int) {
      guard !isDead else { return }
      let node = authority.node
      world.note("\(name) acknowledges \(client):\(number) of \(session)")
      world.tell { [name] in $0.acknowledge(session, client, number, by: name, node) }
    }
  }
#endif
