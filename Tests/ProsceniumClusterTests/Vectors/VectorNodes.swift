// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  @testable import Proscenium
  import ProsceniumPrimitives
  import ProsceniumSimulation
  import Synchronization

  @testable import ProsceniumCluster
  @testable import ProsceniumTestKit

  /// The three nodes of a vector's process: one has the sessions, one a slice that no session is
  /// in, and the client's own has none.
  final class VectorNodes: Sendable {
    private enum Name: String, CaseIterable {
      case owner, bystander, client
    }

    /// One node, from its start to its end.
    private final class Life: Sendable {
      let end = Signal()
      private let node = Guarded<Result<ClusterNode, any Error>?>(nil)

      func run(_ configuration: ClusterNode.Configuration) async throws {
        do {
          try await ClusterNode.withRunning(configuration) { node in
            self.node.withLock { $0 = .success(node) }
            await self.end.wait()
          }
        } catch {
          node.withLock { node in
            if node == nil { node = .failure(error) }
          }
          throw error
        }
      }

      /// Waits until the node runs, or has failed to.
      func running(in world: ClusterWorld) async throws -> ClusterNode {
        while true {
          if let node = node.withLock({ $0 }) { return try node.get() }
          await world.sleep(.milliseconds(1))
        }
      }
    }

    /// No session of a vector is in this slice, and it is the place of no vector's content.
    private static let other = 44

    let owner: ClusterNode
    let bystander: ClusterNode
    let client: ClusterNode
    private let world: ClusterWorld
    private let lives: [Life]
    private let tasks: [Task<Void, any Error>]

    /// Starts the nodes, and waits until each serves its slices and knows the others.
    ///
    /// - Throws: What a node ends with before.
    init(
      _ launch: VectorLaunch, on authority: MemoryAuthority, in world: ClusterWorld,
      _ recorder: LifecycleRecorder
    ) async throws {
      authority.give(MemoryAuthority.slices.filter { $0 != Self.other }, to: Name.owner.rawValue)
      authority.give([Self.other], to: Name.bystander.rawValue)
      var lives: [Life] = []
      var nodes: [ClusterNode] = []
      var tasks: [Task<Void, any Error>] = []
      for name in Name.allCases {
        let configuration = Self.configuration(name, launch, authority, world, recorder)
        let life = Life()
        // It outlives the launch.
        tasks.append(world.spawner.start { try await life.run(configuration) })
        lives.append(life)
        nodes.append(try await life.running(in: world))
      }
      (owner, bystander, client) = (nodes[0], nodes[1], nodes[2])
      (self.world, self.lives, self.tasks) = (world, lives, tasks)
      while !isComplete { await world.sleep(.milliseconds(1)) }
    }

    /// Whether all is served, and the nodes have told each other so.
    private var isComplete: Bool {
      owner.status.served == MemoryAuthority.slices.count - 1 && bystander.status.served == 1
        && [bystander, client].allSatisfy { node in
          node.whereabouts(of: SessionIdentifier(high: 0, low: 0))
            == .node(address: Name.owner.rawValue)
        }
        && [owner, bystander, client].allSatisfy { node in
          node.links?.content.isComplete == true
            && node.links?.withState { state in
              state.peers.count == 2 && state.peers.values.allSatisfy { $0.connection != nil }
                && state.ledger.isSettled
            } == true
        }
    }

    private static func configuration(
      _ name: Name, _ launch: VectorLaunch, _ authority: MemoryAuthority, _ world: ClusterWorld,
      _ recorder: LifecycleRecorder
    ) -> ClusterNode.Configuration {
      var node = ClusterSettings(name: name.rawValue, address: name.rawValue)
      // No vector waits for so long.
      node.lease = .seconds(1_000_000)
      node.settleTime = .zero
      node.balancePause = nil
      var settings = launch.settings
      settings.launch = .background
      let others = SessionIdentifierSource {
        world.draw { SessionIdentifier(high: $0.next(), low: $0.next()) }
      }
      if name == .owner {
        let identifiers = settings.identifiers
        let isFirst = Atomic(true)
        // A node's first one is of its process, and no session's.
        settings.identifiers = SessionIdentifierSource {
          isFirst.exchange(false, ordering: .relaxed) ? others.next() : identifiers.next()
        }
      } else {
        settings.identifiers = others
        settings.observer = { event in
          if case .diagnosed = event.kind { recorder.observe(event) }
        }
      }
      return ClusterNode.Configuration(
        manifest: launch.manifest, authority: authority, node: node,
        network: SimulatedNetwork(world, name: name.rawValue), settings: settings,
        log: VectorLaunch.log, delegate: name == .owner ? launch.makeDelegate : nil)
    }

    /// Opens what a launch is for.
    ///
    /// A node launches before it has sessions, so that its front asks for it.
    private func open(_ launch: ApplicationSettings.Launch, _ recorder: LifecycleRecorder) {
      let fail: @Sendable (SceneError) -> Void = { recorder.failed("launch", $0) }
      switch launch {
      case .background: break
      case .event(let event):
        let request = SessionRequest.deliver(event)
        (request.isOfNode ? owner : client).application.submit(request, onFailure: fail)
      case .icon:
        let core = owner.application.core
        if let recent = try? core.router.choose(nil).session {
          let session = core.directory.identifier(recent)
          client.application.host.submit(.open(session), onFailure: fail)
        } else {
          owner.application.host.submit(.newSession(), onFailure: fail)
        }
      case .connectAll: preconditionFailure("no vector launches so")
      }
    }

    /// Opens what the launch is for, and runs until the owner ends by itself, or is to end; then
    /// the others end.
    func run(
      _ launch: ApplicationSettings.Launch, until end: Signal, _ recorder: LifecycleRecorder
    ) async throws {
      open(launch, recorder)
      let watcher = world.spawner.start { [lives] in
        // The owner may end before.
        await end.wait()
        lives[0].end.give()
      }
      let result = await tasks[0].result
      watcher.cancel()
      for node in [client, bystander] { node.abandon() }
      for life in lives { life.end.give() }
      for task in tasks { _ = await task.result }
      try result.get()
    }

    /// Ends all nodes as if their processes had been ended.
    func abandon() {
      for node in [client, owner, bystander] { node.abandon() }
      for life in lives { life.end.give() }
    }
  }
#endif
