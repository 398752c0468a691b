// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// A program whose sessions are served by several machines, as the page about clusters shows it.
  @Suite(.timeLimit(.minutes(10))) struct ClusterEmbeddingTests {
    /// Counts what it is asked, and is restored from the count.
    private final class Counter: SceneDelegate {
      private var count: Int64 = 0

      func scene(
        _ scene: isolated Scene, willConnectTo session: SceneSession,
        options: Scene.ConnectionOptions
      ) {
        count = session.stateRestorationActivity?.userInfo["count"]?.integer ?? 0
      }

      func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
        count += 1
        scene.setNeedsCapture()
        return SceneMessage("\(count)")
      }

      func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
        UserActivity("count", userInfo: ["count": .integer(count)])
      }
    }

    /// What a program's front answers to a client.
    private enum Answer: Sendable, Equatable {
      case text(String)
      case redirect(address: String)
      case later(Duration)
    }

    /// One machine's program.
    private static func machine(
      _ name: String, _ databaseAddress: String, _ keyPath: String,
      serve: @escaping @Sendable (ClusterNode) async throws -> Void
    ) async throws {
      let authority = try PostgresAuthority(databaseAddress, key: .file(keyPath))
      var settings = ClusterSettings(name: name, address: "\(name).example:8080", build: 42)
      settings.lockFile = "\(keyPath).\(name).lock"
      try await ClusterNode.withRunning(
        manifest: [.init("Counter", Counter.init)], authority: authority, node: settings
      ) { node in
        try await serve(node)
      }
    }

    #if Links
      /// The same with links.
      @concurrent
      private static func runLinked(
        _ authority: PostgresAuthority, _ settings: ClusterSettings,
        serve: @escaping @Sendable (ClusterNode) async throws -> Void
      ) async throws {
        try await ClusterNode.withRunning(
          manifest: [.init("Counter", Counter.init)], authority: authority, node: settings,
          links: .tls(at: "10.0.0.1", port: 7400)
        ) { node in
          try await serve(node)
        }
      }
    #endif

    private static func answer(
      _ request: SceneMessage, to session: SessionIdentifier, at node: ClusterNode
    ) async throws(SceneError) -> Answer {
      do throws(SceneError) {
        return .text(try await node.application.call(request, to: session).string)
      } catch {
        switch (error.code, error.address, error.retryAfter) {
        case (.servedElsewhere, let address?, _): return .redirect(address: address)
        case (.systemBusy, _, let pause): return .later(pause ?? .milliseconds(50))
        default: throw error
        }
      }
    }

    /// Tells a client where to connect.
    private static func place(of session: SessionIdentifier, at node: ClusterNode) -> Answer? {
      switch node.whereabouts(of: session) {
      case .here: return nil
      case .node(let address): return .redirect(address: address)
      case .moving: return .later(.milliseconds(50))
      }
    }

    @Test func `a client is sent on to the machine that serves its session`() async throws {
      let database = try await TestDatabase.make()
      let (address, keyPath) = (
        database.server.url(database: database.name),
        "\(database.server.home)/\(database.name).key"
      )
      let session = Guarded<SessionIdentifier?>(nil)
      let (answers, asked) = AsyncStream.makeStream(of: Answer.self)
      try await withThrowingTaskGroup { group in
        group.addTask { @Sendable in
          try await Self.machine("a", address, keyPath) { node in
            let made = try await node.application.activateSceneSession().id
            #expect(Self.place(of: made, at: node) == nil)
            #expect(try await Self.answer("count", to: made, at: node) == .text("1"))
            session.withLock { $0 = made }
            // Until the other one has an answer.
            for await _ in answers {}
          }
        }
        group.addTask { @Sendable in
          defer { asked.finish() }
          while session.withLock({ $0 }) == nil { try await Task.sleep(for: .milliseconds(20)) }
          let made = try #require(session.withLock { $0 })
          // All slices are the other one's, which was first.
          try await Self.machine("b", address, keyPath) { node in
            let redirect = Answer.redirect(address: "a.example:8080")
            #expect(try await Self.answer("count", to: made, at: node) == redirect)
            #expect(Self.place(of: made, at: node) == redirect)
            asked.finish()
            while Self.place(of: made, at: node) != nil {
              try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await Self.answer("count", to: made, at: node) == .text("2"))
          }
        }
        try await group.waitForAll()
      }
    }
  }
#endif
