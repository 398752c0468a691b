// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import PostgresTestServer
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// What a store is told that cannot be used, and what is wrong in one that can.
  @Suite(.timeLimit(.minutes(10))) struct RefusalTests {
    private static let provider = CallbackKeyProvider.callback {
      try ApplicationKeys(primary: TestDatabase.key)
    }

    /// The error of a load, which has to fail in one line.
    private static func refusal(
      _ store: PostgresSessionStore, _ code: StoreError.Code, _ parts: String...
    ) async {
      let error = await #expect(throws: StoreError.self) { try await LoadedStore(store) }
      expect(error, code, parts)
    }

    private static func expect(_ error: StoreError?, _ code: StoreError.Code, _ parts: [String]) {
      let text = error?.description ?? ""
      #expect(error?.code == code, "\(text)")
      #expect(!text.contains("\n"))
      #expect(!text.contains("secret"))
      for part in parts { #expect(text.contains(part)) }
    }

    // MARK: - Addresses

    /// What can be wrong about an address that can be read.
    enum Mistake: CaseIterable {
      case password, user, database, port, encryption, rights
    }

    @Test(arguments: Mistake.allCases)
    func `an address that leads to no database is refused in one line`(
      mistake: Mistake
    ) async throws {
      let server = try await PostgresServer.shared.server()
      let database = try await server.makeDatabase()
      let refusal = { (url: String, code: StoreError.Code, parts: String...) in
        let store = try PostgresSessionStore(url, key: Self.provider)
        let error = await #expect(throws: StoreError.self) { try await LoadedStore(store) }
        Self.expect(error, code, parts)
        #expect(error?.message.contains(server.password) == false)
      }
      switch mistake {
      case .password:
        try await refusal(
          server.url(database: database, password: "secret"), .unusable,
          "password authentication failed for user \"postgres\"", "(SQLSTATE 28P01)")
      case .user:
        try await refusal(
          server.url(database: database, user: "stranger"), .unusable, "user \"stranger\"")
      case .database:
        try await refusal(
          server.url(database: "none"), .unusable, "database \"none\" does not exist",
          "postgres://127.0.0.1:\(server.port)/none: ")
      case .port:
        let port = try PostgresServer.freePort()
        try await refusal(server.url(database: database, port: port), .failed, "refused", "\(port)")
      case .encryption:
        try await refusal(
          server.url(database: database, options: ["sslmode": "require"]), .failed, "SSL")
      case .rights:
        let role = try await Self.makeRole(on: server)
        _ = try await server.sql("REVOKE CONNECT ON DATABASE \(database) FROM PUBLIC")
        try await refusal(
          server.url(database: database, user: role, password: "secret"), .unusable,
          "permission denied for database")
      }
    }

    @Test(arguments: [
      "nonsense", "postgres://[::1/secret", "postgres://user:secret@[::1/d",
      "postgres://user:secret%zz@host/d", "postgres://user:secret@[::1]x/d",
      "host=here password=top secret", "host=here password=top secret=1",
      "postgres://user:se/secret@host/d", "postgres://user:top@secret@host/d",
      "postgres://user@host/d?secret", "postgres://user@host/d?secret=1",
    ])
    func `a text that is no address is refused without what it says`(text: String) {
      let error = #expect(throws: StoreError.self) {
        try PostgresSessionStore(text, key: Self.provider)
      }
      Self.expect(error, .unusable, ["postgres://user@host:5432/database"])
    }

    // MARK: - Databases

    private static func makeRole(on server: PostgresServer) async throws -> String {
      let role = "role_" + UUID().uuidString.lowercased().filter { $0 != "-" }
      _ = try await server.sql("CREATE ROLE \(role) LOGIN PASSWORD 'secret'")
      return role
    }

    @Test func `a database of another encoding is refused`() async throws {
      let server = try await PostgresServer.shared.server()
      let name = try await server.makeDatabase()
      _ = try await server.sql("DROP DATABASE \(name)")
      _ = try await server.sql("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'SQL_ASCII'")
      let database = TestDatabase(server: server, name: name)
      try await Self.refusal(database.open(), .unusable, "encoding UTF8, found SQL_ASCII")
    }

    @Test func `a role without rights is told who makes a store, and one with them can use it`()
      async throws
    {
      let database = try await TestDatabase.make()
      let role = try await Self.makeRole(on: database.server)
      let address = database.server.url(database: database.name, user: role, password: "secret")
      let store = try PostgresSessionStore(address, key: Self.provider)
      await Self.refusal(store, .unusable, "`proscenium store init`", "permission denied")
      let own = try await LoadedStore(database.open())
      try await own.apply(own.making(.test(1), [1]))
      try await own.store.close()
      await Self.refusal(store, .unusable, "`proscenium store init`", "permission denied")
      try await PostgresStoreSetup.run(
        database.server.url(database: database.name), granting: [role])
      let loaded = try await LoadedStore(store)
      try await loaded.apply([loaded.saving([2], of: .test(1))])
      #expect(try await loaded.states(of: [.test(1)]) == [.test(1): [2]])
      try await loaded.store.setRestoring(true)
      try await store.close()
    }

    @Test func `a store of a newer format is refused`() async throws {
      let database = try await TestDatabase.make()
      try await LoadedStore(database.open()).store.close()
      try await database.sql("UPDATE proscenium.cluster SET format = 99")
      try await Self.refusal(
        database.open(), .newerVersion, "expected a store of format 1, found format 99")
      try await database.sql("UPDATE proscenium.cluster SET format = 1")
      _ = try await LoadedStore(database.open())
    }

    // MARK: - Keys

    @Test func `another application key is refused`() async throws {
      let database = try await TestDatabase.make()
      try await LoadedStore(database.open()).store.close()
      let other = try database.open(key: [UInt8](repeating: 8, count: 32))
      await Self.refusal(other, .wrongKey, "expected the application key that the store")
      try await other.close()
      _ = try await LoadedStore(database.open())
    }

    @Test func `without a key sessions can be read and made, and states wait`() async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let isLocked = Guarded(true)
      let keys = CallbackKeyProvider.callback {
        if isLocked.withLock({ $0 }) { throw SealingError(.keyUnavailable, "locked") }
        return try ApplicationKeys(primary: TestDatabase.key)
      }
      let address = database.server.url(database: database.name)
      let first = try await LoadedStore(PostgresSessionStore(address, key: keys))
      try await first.apply([(.test(1), .insert(SessionRow(persistentIdentifier: .test(1))))])
      let sealing = #expect(throws: StoreError.self) { try first.saving([1], of: .test(1)) }
      Self.expect(sealing, .keyUnavailable, ["locked"])
      isLocked.withLock { $0 = false }
      try await first.apply([first.saving([1], of: .test(1))])
      try await first.store.close()
      // The key is known from its first state on.
      let other = try database.open(key: [UInt8](repeating: 8, count: 32))
      await Self.refusal(other, .wrongKey, "expected the application key that the store")
      try await other.close()
      isLocked.withLock { $0 = true }
      let second = try await LoadedStore(PostgresSessionStore(address, key: keys))
      #expect(second.rows[.test(1)]?.hasSavedState == true)
      let reading = await #expect(throws: StoreError.self) {
        try await second.states(of: [.test(1)])
      }
      Self.expect(reading, .keyUnavailable, ["locked"])
      isLocked.withLock { $0 = false }
      #expect(try await second.states(of: [.test(1)]) == [.test(1): [1]])
    }

    // MARK: - Damage

    /// A change of a session by another program, and what shows it.
    private struct Damage {
      let statement: String
      /// Whether the load finds it.
      var isInRow = false
      /// Whether the state can be read.
      var hasState = false

      static let all = [
        Damage(statement: "state SET sealed = set_byte(sealed, 5, get_byte(sealed, 5) # 1)"),
        Damage(statement: "state SET sealed = '\\x01'"),
        Damage(statement: "state SET sealed = NULL"),
        Damage(statement: "state SET id = gen_random_uuid()"),
        Damage(statement: "state SET version = version + 1"),
        Damage(
          statement: "state s SET (version, sealed) = (SELECT o.version, o.sealed FROM state o"
            + " WHERE o.id = '\(SessionIdentifier.test(100))')"),
        Damage(statement: "session SET key = NULL", isInRow: true),
        Damage(statement: "session SET key = '\\x01'"),
        Damage(statement: "session SET key = set_byte(key, 5, get_byte(key, 5) # 1)"),
        Damage(statement: "session SET has_state = false"),
        Damage(statement: "session SET discarded = true", isInRow: true, hasState: true),
        Damage(statement: "session SET configuration = 99", isInRow: true, hasState: true),
        Damage(
          statement: "session SET can_activate = 'SELF LIKE LIKE'", isInRow: true, hasState: true),
        Damage(statement: "session SET prefers = '('", isInRow: true, hasState: true),
      ]
    }

    @Test func `damage concerns its session alone, which can be made again`() async throws {
      let database = try await TestDatabase.make()
      let victims = Damage.all.indices.map { SessionIdentifier.test($0) }
      let others = (100..<110).map { SessionIdentifier.test($0) }
      let first = try await LoadedStore(database.open())
      try await first.apply((victims + others).flatMap { try first.making($0, [1]) })
      try await first.store.close()
      let updates = zip(victims, Damage.all)
        .map { "UPDATE \($1.statement) WHERE id = '\($0)';" }.joined()
      try await database.sql("SET search_path = proscenium; \(updates)")
      let loaded = try await LoadedStore(database.open())
      #expect(Set(loaded.rows.keys) == Set(victims + others))
      let answers = await loaded.store.savedStates(of: victims + others)
      for (victim, damage) in zip(victims, Damage.all) {
        let error = loaded.rows[victim]?.damage
        #expect((error != nil) == damage.isInRow, "\(damage.statement)")
        if damage.isInRow { Self.expect(error, .damaged, ["\(victim)", "as it was written"]) }
        if damage.hasState {
          #expect(answers[victim] == .success([1]), "\(damage.statement)")
        } else {
          let error = #expect(throws: StoreError.self, "\(damage.statement)") {
            try answers[victim]?.get()
          }
          Self.expect(error, .damaged, ["\(victim)"])
        }
      }
      for other in others { #expect(answers[other] == .success([1])) }
      #expect(others.allSatisfy { loaded.rows[$0]?.damage == nil })
      // They can be written all the same, and made again.
      try await loaded.apply(
        others.map { try loaded.saving([2], of: $0) } + victims.map { ($0, .remove) })
      try await loaded.apply(victims.flatMap { try loaded.making($0, [3]) })
      try await loaded.store.close()
      let last = try await LoadedStore(database.open())
      #expect(last.rows.values.count { $0.damage == nil && $0.hasSavedState } == 24)
      let states = try await last.states(of: victims + others)
      #expect(states.values.count { $0 == [2] } == others.count)
      #expect(states.values.count { $0 == [3] } == victims.count)
    }

    // MARK: - Texts and stores that are not open

    @Test func `texts of any characters come back with their bytes`() async throws {
      let database = try await TestDatabase.make()
      let texts = [
        "", "\0", "\u{1A}", "\u{1A}0", "\u{1A}1\0\u{1A}", "a\0b", "e\u{301}", "\u{E9}", "\u{1F3AD}",
        "'; DROP TABLE session; --", "{\"a\",NULL}", "NULL", "\\", "\r\n\t", "\u{FEFF}x",
        String(repeating: "\u{10FFFF}\0", count: 20_000),
      ]
      let row = { (number: Int, text: String) in
        SessionRow(
          persistentIdentifier: .test(number),
          configuration: StoredConfiguration(
            role: .init(rawValue: "role" + text), name: text, delegateClass: text + "D",
            sceneClass: text + "S", manifestRevision: text),
          group: SceneGroup(rawValue: text), title: text, subtitle: "of " + text, owner: text)
      }
      let loaded = try await LoadedStore(database.open())
      try await loaded.apply(texts.enumerated().map { (.test($0), .insert(row($0, $1))) })
      try await loaded.store.close()
      let next = try await LoadedStore(database.open())
      for (number, text) in texts.enumerated() {
        let (found, expected) = (try #require(next.rows[.test(number)]), row(number, text))
        #expect(found.title.map { Array($0.utf8) } == Array(text.utf8))
        #expect(found.subtitle.map { Array($0.utf8) } == Array("of \(text)".utf8))
        #expect(found.owner.map { Array($0.utf8) } == Array(text.utf8))
        #expect(found.group?.rawValue == text)
        #expect(found.configuration == expected.configuration)
        #expect(found.damage == nil)
      }
    }

    @Test(arguments: [false, true])
    func `a store that is not loaded, or was closed, throws`(isClosed: Bool) async throws {
      let database = try await TestDatabase.make()
      let store = try database.open()
      if isClosed {
        _ = try await LoadedStore(store)
        try await store.close()
        await Self.refusal(store, .failed, "closed")
      }
      let change = StoreChange(session: .test(1), epoch: 1, kind: .remove)
      var errors: [StoreError?] = []
      errors.append(await #expect(throws: StoreError.self) { try await store.commit([change]) })
      errors.append(await #expect(throws: StoreError.self) { try await store.setRestoring(true) })
      errors.append(
        await #expect(throws: StoreError.self) { try await store.setRunningTime(1, epoch: 1) })
      errors.append(
        #expect(throws: StoreError.self) {
          let state: [UInt8] = [1]
          _ = try unsafe store.seal(state.span.bytes, of: .test(1), epoch: 1)
        })
      let answers = await store.savedStates(of: [.test(1), .test(2)])
      for answer in [answers[.test(1)], answers[.test(2)]] {
        errors.append(#expect(throws: StoreError.self) { try answer?.get() })
      }
      for error in errors { Self.expect(error, .failed, ["expected a store that was loaded"]) }
      try await store.close()
    }
  }
#endif
