// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import PostgresTestServer
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// What a store and an application do while their server stops, starts, or only reads.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct ServerOutageTests {
    /// The server of these tests, which no other test may find stopped.
    private static let server = SharedServer()

    private static func makeDatabase() async throws -> TestDatabase {
      let server = try await server.server()
      return TestDatabase(server: server, name: try await server.makeDatabase())
    }

    /// Commits a change until that fails, as it has to with `failed`.
    private static func commitUntilFailure(_ loaded: LoadedStore) async throws {
      while true {
        do throws(StoreError) {
          let row = SessionRow(persistentIdentifier: .test(1), title: "before")
          #expect(try await loaded.commit([(.test(1), .update(row))]).isEmpty)
        } catch {
          #expect(error.code == .failed)
          #expect(!error.message.contains("\n"))
          return
        }
      }
    }

    @Test func `a server that crashed has what was acknowledged, and is used again`()
      async throws
    {
      let database = try await Self.makeDatabase()
      let loaded = try await LoadedStore(database.open())
      let sessions = (0..<200).map { SessionIdentifier.test($0) }
      try await loaded.apply(sessions.flatMap { try loaded.making($0, [1]) })
      try await loaded.apply([loaded.saving([2], of: .test(7))])
      try await database.server.stop(mode: .immediate)
      let error = await #expect(throws: StoreError.self) {
        try await loaded.apply([(.test(8), .remove)])
      }
      #expect(error?.code == .failed)
      let answers = await loaded.store.savedStates(of: [.test(7)])
      #expect(throws: StoreError.self) { try answers[.test(7)]?.get() }
      try await database.server.startAgain()
      try await loaded.applyAtLast([(.test(8), .remove)])
      #expect(try await loaded.states(of: [.test(7), .test(9)]) == [.test(7): [2], .test(9): [1]])
      try await loaded.apply([loaded.saving([3], of: .test(7))])
      try await loaded.store.close()
      let next = try await LoadedStore(database.open())
      #expect(next.epoch == loaded.epoch + 1)
      #expect(Set(next.rows.keys) == Set(sessions).subtracting([.test(8)]))
      #expect(next.rows.values.count { $0.hasSavedState } == 199)
      #expect(try await next.states(of: [.test(7)]) == [.test(7): [3]])
      try await next.store.close()
    }

    @Test func `a restart while nothing is written is not noticed`() async throws {
      let database = try await Self.makeDatabase()
      let loaded = try await LoadedStore(database.open())
      try await loaded.apply(loaded.making(.test(1), [1]))
      for mode in [PostgresServer.StopMode.fast, .immediate] {
        try await database.server.restart(mode: mode)
        #expect(try await loaded.states(of: [.test(1)]) == [.test(1): [1]])
        try await loaded.store.setRestoring(true)
        try await loaded.apply([loaded.saving([1], of: .test(1))])
      }
      try await loaded.store.close()
    }

    @Test func `a server that only reads refuses changes, and takes them when it writes again`()
      async throws
    {
      let database = try await Self.makeDatabase()
      let loaded = try await LoadedStore(database.open())
      try await loaded.apply(loaded.making(.test(1), [1]))
      try await database.sql("ALTER SYSTEM SET default_transaction_read_only = on")
      try await database.sql("SELECT pg_reload_conf()")
      try await Self.commitUntilFailure(loaded)
      #expect(try await loaded.states(of: [.test(1)]) == [.test(1): [1]])
      try await database.sql("ALTER SYSTEM RESET default_transaction_read_only")
      try await database.sql("SELECT pg_reload_conf()")
      let row = SessionRow(persistentIdentifier: .test(1), title: "after")
      try await loaded.applyAtLast([(.test(1), .update(row))])
      try await loaded.apply([loaded.saving([2], of: .test(1))])
      #expect(try await loaded.states(of: [.test(1)]) == [.test(1): [2]])
      #expect(try await database.sql("SELECT title FROM proscenium.session") == "after")
      try await loaded.store.close()
    }

    // MARK: - The whole runtime

    /// Counts the messages that it was sent.
    private final class Counter: SceneDelegate {
      private let counts: Counts
      private var count: Int64 = 0

      init(_ counts: Counts) {
        self.counts = counts
      }

      func scene(
        _ scene: isolated Scene, willConnectTo session: SceneSession,
        options: Scene.ConnectionOptions
      ) {
        count = session.stateRestorationActivity?.userInfo["count"]?.integer ?? 0
        let (id, count) = (session.id, count)
        counts.found.withLock { $0[id] = count }
      }

      func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
        count += 1
      }

      func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
        UserActivity("count", userInfo: ["count": .integer(count)])
      }
    }

    /// What became of the messages.
    private final class Counts: Sendable {
      /// How many each session knew when it was connected.
      let found = Guarded<[SessionIdentifier: Int64]>([:])
      /// How many were sent.
      let sent = Guarded<[SessionIdentifier: Int64]>([:])
      let acknowledged = Guarded<[SessionIdentifier: Int64]>([:])
      /// How often a sender was told an error.
      let errors = Guarded(0)

      var acknowledgedCount: Int64 { acknowledged.withLock { $0.values.reduce(0, +) } }

      /// Sends messages one by one until so many were acknowledged.
      func send(
        _ goal: Int64, to session: SessionIdentifier, _ application: Application
      ) async throws {
        while acknowledged.withLock({ $0[session] ?? 0 }) < goal {
          sent.withLock { $0[session, default: 0] += 1 }
          do throws(SceneError) {
            try await application.sendDurably("one", to: session)
            acknowledged.withLock { $0[session, default: 0] += 1 }
          } catch {
            #expect(error.code == .notDurable)
            errors.withLock { $0 += 1 }
            try await Task.sleep(for: .milliseconds(10))
          }
        }
      }
    }

    @Test func `what an application acknowledged is there, though the server stopped in between`()
      async throws
    {
      let database = try await Self.makeDatabase()
      let counts = Counts()
      let manifest: SceneManifest = [.init("Counter", { Counter(counts) })]
      let store = try database.open()
      try await Application.withRunning(manifest: manifest, store: store) { application in
        var sessions: [SessionIdentifier] = []
        for _ in 0..<8 { sessions.append(try await application.activateSceneSession().id) }
        try await withThrowingTaskGroup { group in
          for session in sessions {
            group.addTask { try await counts.send(150, to: session, application) }
          }
          for goal in [200, 600] as [Int64] {
            while counts.acknowledgedCount < goal { try await Task.sleep(for: .milliseconds(5)) }
            let before = counts.errors.withLock { $0 }
            try await database.server.stop(mode: .immediate)
            while counts.errors.withLock({ $0 }) == before {
              try await Task.sleep(for: .milliseconds(5))
            }
            try await database.server.startAgain()
          }
          try await group.waitForAll()
        }
      }
      try await store.close()
      let (sent, acknowledged) = (counts.sent.withLock { $0 }, counts.acknowledged.withLock { $0 })
      #expect(acknowledged.count == 8)
      let next = try database.open()
      try await Application.withRunning(manifest: manifest, store: next) { application in
        for session in application.openSessions {
          try await application.activateSceneSession(for: .init(session: session))
        }
      }
      try await next.close()
      let found = counts.found.withLock { $0 }
      // Also those of which an error was told were delivered, and written when that was possible.
      #expect(found == sent)
      for (session, count) in acknowledged { #expect(found[session] ?? 0 >= count) }
    }
  }
#endif
