// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumSimulation

  @testable import ProsceniumTestKit

  /// A vector's program on three nodes of a cluster, which is asked by way of the one that owns
  /// nothing.
  final class ClusterProgram: VectorProgram {
    let parts: VectorParts
    private let program: RuntimeProgram
    private let world: ClusterWorld
    private let nodes = Guarded<VectorNodes?>(nil)
    private let hasArrived = Guarded(false)

    init(_ parts: VectorParts) {
      self.parts = parts
      program = RuntimeProgram(parts)
      guard let executor = parts.executor else { preconditionFailure("it runs on an executor") }
      var random = SplitMix64(seed: 1)
      world = ClusterWorld(seed: 1, ClusterOptions(drawing: &random), executor, isTraced: false)
      world.isCalm = true
    }

    func prepare(_ launch: VectorLaunch) -> VectorLaunch { program.prepare(launch) }

    func makeProcess(
      _ launch: VectorLaunch, on store: InMemorySessionStore
    ) async throws -> VectorProcess {
      let authority = MemoryAuthority(store, clock: world.executor.clock)
      let nodes = try await VectorNodes(launch, on: authority, in: world, parts.recorder)
      self.nodes.withLock { $0 = nodes }
      return VectorProcess(
        nodes.owner.application, client: nodes.client.application, recorder: parts.recorder
      ) { [parts] end in
        try await nodes.run(launch.settings.launch, until: end, parts.recorder)
      } abandon: {
        nodes.abandon()
      }
    }

    /// Lets everything arrive that is on its way between the nodes; what it does there comes to
    /// rest before this is called again.
    func rest() async -> Bool {
      let hasArrived = hasArrived.withLock { hasArrived in
        defer { hasArrived.toggle() }
        return hasArrived
      }
      if !hasArrived { await world.sleep(.milliseconds(20)) }
      return !hasArrived
    }

    func differences() -> [String] {
      guard let nodes = nodes.withLock({ $0 }) else { return [] }
      return [nodes.client, nodes.bystander].flatMap { node in
        node.application.openSessions.map { "expected no session on another node, found \($0.id)" }
      }
    }

    func leave() { nodes.withLock { $0 = nil } }
  }
#endif
