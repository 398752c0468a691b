// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// A cluster on a database of its own, whose sessions count what they are told to.
  struct TestCluster: Sendable {
    let database: TestDatabase
    let lease: Duration
    /// Makes what brings a node's messages to the others, if anything does.
    let links: @Sendable () -> ClusterLinks?

    /// - Parameters:
    ///   - database: Where the sessions are.
    ///   - lease: So long that no node is buried on a slow machine, unless a test is about that.
    ///   - links: Makes what brings a node's messages to the others, if anything does.
    init(
      _ database: TestDatabase, lease: Duration = .seconds(60),
      links: @escaping @Sendable () -> ClusterLinks? = { nil }
    ) {
      self.database = database
      self.lease = lease
      self.links = links
    }

    /// Counts, and saves the count; "one life" lets the end of the scene end the session.
    private final class CountingDelegate: SceneDelegate {
      private var count = 0

      func scene(
        _ scene: isolated Scene, willConnectTo session: SceneSession,
        options: Scene.ConnectionOptions
      ) {
        count = session.stateRestorationActivity?.title.flatMap { Int($0) } ?? 0
      }

      func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
        count += 1
        scene.setNeedsCapture()
      }

      func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
        if message.string == "one life" { scene.destructionConditions = [.systemDisconnection] }
        count += 1
        scene.setNeedsCapture()
        return SceneMessage("\(count)")
      }

      func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
        var activity = UserActivity("count")
        activity.title = "\(count)"
        return activity
      }
    }

    /// Runs a node.
    func node<Value: Sendable>(
      _ name: String, settleTime: Duration = .zero, balancePause: Duration? = nil,
      _ body: @escaping @Sendable (ClusterNode) async throws -> Value
    ) async throws -> Value {
      var settings = ClusterSettings(name: name, address: "host-\(name):1")
      settings.lease = lease
      settings.settleTime = settleTime
      settings.balancePause = balancePause
      return try await ClusterNode.withRunning(
        manifest: [SceneConfiguration("Counting") { CountingDelegate() }],
        authority: PostgresAuthority(
          database.server.url(database: database.name, port: database.port),
          key: .callback { try ApplicationKeys(primary: TestDatabase.key) }),
        node: settings, links: links(), body)
    }

    /// Runs two nodes at once, each with half of the slices.
    func nodes(
      _ first: String, _ second: String, secondOn other: TestCluster? = nil,
      _ body: @escaping @Sendable (ClusterNode, ClusterNode) async throws -> Void
    ) async throws {
      let running = Guarded<[String: ClusterNode]>([:])
      let ends = [first, second].map { _ in AsyncStream<Never>.makeStream() }
      try await withThrowingTaskGroup { group in
        for (number, name) in [first, second].enumerated() {
          let (cluster, end) = (number == 0 ? self : other ?? self, ends[number].stream)
          // Each runs until the body is over, as a process would.
          group.addTask { @Sendable in
            // One that the test ends is cancelled, and has nothing more to say.
            _ = try await cluster.node(name, settleTime: .seconds(60)) { node in
              running.withLock { $0[name] = node }
              for await _ in end {}
            }
          }
        }
        defer { for end in ends { end.continuation.finish() } }
        try await deal(to: 2)
        while true {
          let nodes = running.withLock { $0 }
          if let first = nodes[first], let second = nodes[second] {
            try await body(first, second)
            break
          }
          // Nothing tells when both run.
          try await Task.sleep(for: .milliseconds(10))
        }
        for end in ends { end.continuation.finish() }
        while await group.nextResult() != nil {}
      }
    }

    /// Gives nodes an equal share of the slices as soon as all have joined.
    private func deal(to count: Int) async throws {
      try await database.wait(
        until: "SELECT count(*) > 0 FROM pg_tables WHERE schemaname = 'proscenium'")
      try await database.wait(until: "SELECT count(*) = \(count) FROM proscenium.node")
      try await database.sql(
        "SELECT proscenium.claim_1(node, \(1_024 / count)) FROM proscenium.node")
    }

    /// Calls a session as soon as a node serves it.
    func call(
      _ message: SceneMessage, _ session: SessionIdentifier, _ node: ClusterNode
    ) async throws -> String? {
      while true {
        let answer = await Result { () async throws(SceneError) in
          try await node.application.call(message, to: session).string
        }
        switch answer {
        case .success(let text): return text
        case .failure(let error):
          guard error.code == .systemBusy || error.code == .servedElsewhere else { throw error }
          // As a client does that is told to come again.
          try await Task.sleep(for: .milliseconds(20))
        }
      }
    }
  }
#endif
