// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import Testing

  /// A program whose sessions are in PostgreSQL, as the page for operators shows it.
  @Suite(.timeLimit(.minutes(10))) struct EmbeddingTests {
    /// Counts what it is told, and is restored from the count.
    private final class Counter: SceneDelegate {
      private var count: Int64 = 0

      func scene(
        _ scene: isolated Scene, willConnectTo session: SceneSession,
        options: Scene.ConnectionOptions
      ) {
        count = session.stateRestorationActivity?.userInfo["count"]?.integer ?? 0
      }

      func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
        count += 1
        scene.setNeedsCapture()
      }

      func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
        SceneMessage("\(count)")
      }

      func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
        UserActivity("count", userInfo: ["count": .integer(count)])
      }
    }

    /// One life of the program.
    private static func work<Value: Sendable>(
      _ address: String, _ keyPath: String,
      _ body: @escaping @Sendable (Application) async throws -> Value
    ) async throws -> Value {
      let store = try PostgresSessionStore(address, key: .file(keyPath))
      let value = try await Application.withRunning(
        manifest: [.init("Counter", Counter.init)], store: store, body)
      try await store.close()
      return value
    }

    @Test func `sessions go on in the next life of a program`() async throws {
      let database = try await TestDatabase.make()
      let (address, keyPath) = (
        database.server.url(database: database.name),
        "\(database.server.home)/\(database.name).key"
      )
      let sessions = try await Self.work(address, keyPath) { application in
        var sessions: [SessionIdentifier] = []
        for number in 0..<20 {
          let session = try await application.activateSceneSession().id
          for _ in 0...number { try application.send("more", to: session) }
          try await application.sendDurably("and one that cannot be lost", to: session)
          sessions.append(session)
        }
        return sessions
      }
      let counts = try await Self.work(address, keyPath) { application in
        var counts: [String] = []
        for session in sessions {
          counts.append(try await application.call("?", to: session).string)
        }
        return counts
      }
      #expect(counts == (0..<20).map { "\($0 + 2)" })
    }
  }
#endif
