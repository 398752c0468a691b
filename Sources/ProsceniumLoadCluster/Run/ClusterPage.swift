// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumDashboard
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// The live page over a run: the nodes, their slices, and a button that drains one.
  final class ClusterPage: Sendable {
    private let charts = LoadCharts(name: ClusterSummary.name)
    private let last = Guarded<ClusterSummary.Sample?>(nil)
    private let view = Guarded(DashboardCluster.View(nodes: [], slices: 0, moves: 0))
    private let port: UInt16
    private let token: DashboardToken
    private let say: @Sendable (String) -> Void

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - port: The port, 0 for any that is free.
    ///   - say: Is given the lines that say where the page is, and what its buttons need.
    init(port: UInt16, say: @escaping @Sendable (String) -> Void) {
      self.port = port
      self.say = say
      var random = SystemRandomNumberGenerator()
      token = DashboardToken(using: &random)
    }

    /// Takes what was seen in a second.
    func add(_ sample: ClusterSummary.Sample) {
      let before = last.withLock { last in
        defer { last = sample }
        return last
      }
      charts.add(sample.rows(after: before))
    }

    /// Takes how the nodes are.
    func show(_ status: ClusterStatus) {
      let nodes = status.nodes.map { node in
        DashboardCluster.Node(
          number: node.number, name: node.name, build: node.build,
          state: node.isSilent ? "silent" : node.state.rawValue, slices: node.slices,
          canDrain: node.state == .live)
      }
      view.withLock {
        $0 = DashboardCluster.View(nodes: nodes, slices: status.slices, moves: status.moves)
      }
    }

    /// Serves the page while something runs.
    ///
    /// - Parameters:
    ///   - fleet: The nodes that its buttons drain.
    ///   - body: What runs.
    /// - Returns: What `body` returns.
    /// - Throws: Why the page cannot be served, before anything runs; or what `body` throws.
    func serve<Success: Sendable>(
      _ fleet: NodeFleet, while body: @Sendable () async throws -> Success
    ) async throws -> Success {
      var settings = DashboardSettings()
      settings.port = port
      settings.token = token
      settings.title = "Proscenium: cluster"
      settings.additionalStyle = LoadCharts.style
      let cluster = DashboardCluster(
        view: { self.view.withLock { $0 } },
        drain: { number in try await fleet.beginDrain(of: number) })
      let server = DashboardServer(of: cluster, clock: ContinuousClock(), settings: settings) {
        [charts] in charts.drawn.map { DashboardFragment(id: $0.id, html: $0.html) }
      }
      return try await withCompany { [say, token] isReady in
        try await withThrowingTaskGroup { group in
          // While its address is waited for; it ends with the task.
          group.addTask { try await server.run() }
          say("dashboard: \(try await server.url)\ntoken for its buttons: \(token.text)\n\n")
          isReady()
          try await group.waitForAll()
        }
      } _: {
        try await body()
      }
    }
  }
#endif
