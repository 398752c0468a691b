// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import PostgresTestServer
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// What a store does while the way to its server is bad, or the server refuses what it is told.
  @Suite(.timeLimit(.minutes(10))) struct OutageTests {
    /// Commits changes, which must be applied or throw `failed`; gives the error.
    private static func offer(
      _ changes: [SessionChange], to loaded: LoadedStore
    ) async -> StoreError? {
      do throws(StoreError) {
        let refusals = try await loaded.commit(changes)
        #expect(refusals.isEmpty)
        return nil
      } catch {
        #expect(error.code == .failed)
        #expect(!error.message.contains("\n"))
        return error
      }
    }

    /// Loads what a database has, and expects these sessions with their states, each once.
    private static func expect(
      _ states: [SessionIdentifier: [UInt8]], in database: TestDatabase
    ) async throws {
      let loaded = try await LoadedStore(database.open())
      #expect(Set(loaded.rows.keys) == Set(states.keys))
      #expect(try await loaded.states(of: Array(states.keys)) == states)
      #expect(try await database.counts() == "\(states.count)|\(states.count)|\(states.count)")
    }

    /// A state that says of which session and of which time it is.
    private static func state(_ number: Int, _ time: UInt8) -> [UInt8] {
      [UInt8(number), time] + [UInt8](repeating: 7, count: 500)
    }

    /// A group that removes, saves and makes sessions of those that ``fill(_:)`` made.
    private static func changes(_ loaded: LoadedStore) throws -> [SessionChange] {
      try (0..<4).map { (.test($0), .remove) }
        + (4..<12).map { try loaded.saving(state($0, 2), of: .test($0)) }
        + (20..<30).flatMap { try loaded.making(.test($0), state($0, 2)) }
    }

    /// What is there after ``changes(_:)``.
    private static let expected: [SessionIdentifier: [UInt8]] = {
      var states: [SessionIdentifier: [UInt8]] = [:]
      for number in 4..<12 { states[.test(number)] = state(number, 2) }
      for number in 12..<20 { states[.test(number)] = state(number, 1) }
      for number in 20..<30 { states[.test(number)] = state(number, 2) }
      return states
    }()

    private static func fill(_ loaded: LoadedStore) async throws {
      try await loaded.apply((0..<20).flatMap { try loaded.making(.test($0), state($0, 1)) })
    }

    // MARK: - Connections

    @Test(arguments: [10, 100, 1_000, 5_000, 20_000])
    func `a connection that breaks within a save costs nothing`(bytes: Int) async throws {
      let database = try await TestDatabase.make()
      let proxy = try TCPProxy(to: database.server.port)
      defer { proxy.close() }
      let loaded = try await LoadedStore(database.behind(proxy).open())
      try await Self.fill(loaded)
      let before = proxy.accepted
      proxy.cutAfter(bytes: bytes)
      let changes = try Self.changes(loaded)
      repeat {
        _ = await Self.offer(changes, to: loaded)
      } while proxy.accepted == before
      try await loaded.applyAtLast(changes)
      try await loaded.apply([(.test(20), .remove)])
      var expected = Self.expected
      expected[.test(20)] = nil
      try await loaded.store.close()
      try await Self.expect(expected, in: database)
    }

    @Test func `a save whose connection breaks is made again, and cannot come late`()
      async throws
    {
      let database = try await TestDatabase.make()
      let proxy = try TCPProxy(to: database.server.port)
      defer { proxy.close() }
      let loaded = try await LoadedStore(database.behind(proxy).open())
      try await Self.fill(loaded)
      let fence = try await database.sql("SELECT max(fence) FROM proscenium.node")
      let table = try await HeldTable("session", of: database)
      let changes = try Self.changes(loaded)
      async let commit = Self.offer(changes, to: loaded)
      try await table.hasWaiting(2)
      let before = proxy.accepted
      proxy.cut()
      while proxy.accepted < before + 2 { try await Task.sleep(for: .milliseconds(10)) }
      try await table.hasWaiting(1)
      try await table.release()
      #expect(await commit == nil)
      // What was sent to the connections that broke would remove all, and sees another fence.
      let all =
        "(SELECT array_agg(place) FROM proscenium.session),"
        + "(SELECT array_agg(id) FROM proscenium.session),"
      let nothing = String(repeating: "'{}',", count: 24)
      let save = "SELECT proscenium.save_1("
      #expect(try await database.sql("\(save)\(all)\(nothing) 1, \(fence))") == "f")
      let now = try await database.sql("SELECT max(fence) FROM proscenium.node")
      #expect(try await database.sql("\(save)'{}','{}',\(nothing) 1, \(now))") == "t")
      try await loaded.store.close()
      try await Self.expect(Self.expected, in: database)
    }

    @Test(arguments: [TCPProxy.Mode.blackHole, .oneWay(toServer: true), .oneWay(toServer: false)])
    func `a server that does not answer is given up in time, and used again`(
      mode: TCPProxy.Mode
    ) async throws {
      let database = try await TestDatabase.make()
      let proxy = try TCPProxy(to: database.server.port)
      defer { proxy.close() }
      let loaded = try await LoadedStore(
        database.behind(proxy).open { $0.patience = .milliseconds(500) })
      try await loaded.applyAtLast(
        (0..<20).flatMap { try loaded.making(.test($0), Self.state($0, 1)) })
      proxy.mode = mode
      let start = ContinuousClock.now
      let changes = try Self.changes(loaded)
      #expect(await Self.offer(changes, to: loaded)?.code == .failed)
      #expect(ContinuousClock.now - start < .seconds(10))
      let states = await loaded.store.savedStates(of: [.test(4)])
      #expect(throws: StoreError.self) { try states[.test(4)]?.get() }
      proxy.mode = .forward
      try await loaded.applyAtLast(changes)
      try await loaded.applyAtLast([(.test(20), .remove)])
      var expected = Self.expected
      expected[.test(20)] = nil
      try await loaded.store.close()
      try await Self.expect(expected, in: database)
    }

    @Test func `a load whose connections break gives each row once`() async throws {
      let database = try await TestDatabase.make()
      let first = try await LoadedStore(database.open())
      let sessions = (0..<9_000).map { SessionIdentifier.test($0) }
      try await first.apply(
        sessions.map { ($0, .insert(SessionRow(persistentIdentifier: $0))) })
      try await first.store.close()
      let proxy = try TCPProxy(to: database.server.port)
      defer { proxy.close() }
      let found = Guarded<[SessionIdentifier]>([])
      _ = try await database.behind(proxy).open().load { rows in
        if found.withLock({ $0.isEmpty }) { proxy.cut() }
        found.withLock { $0 += rows.map(\.persistentIdentifier) }
      }
      #expect(found.withLock { $0.count } == sessions.count)
      #expect(Set(found.withLock { $0 }) == Set(sessions))
    }

    // MARK: - Refusals of the server

    @Test func `a table that another program has locked is not waited for without end`()
      async throws
    {
      let database = try await TestDatabase.make()
      let loaded = try await LoadedStore(database.open { $0.patience = .milliseconds(500) })
      try await loaded.applyAtLast(
        (0..<20).flatMap { try loaded.making(.test($0), Self.state($0, 1)) })
      let table = try await HeldTable("session", of: database)
      let start = ContinuousClock.now
      let changes = try Self.changes(loaded)
      for _ in 0..<2 { #expect(await Self.offer(changes, to: loaded)?.code == .failed) }
      #expect(ContinuousClock.now - start < .seconds(20))
      try await table.release()
      try await loaded.applyAtLast(changes)
      try await loaded.store.close()
      try await Self.expect(Self.expected, in: database)
    }

    @Test func `a full disk refuses a commit as a whole, and the next one goes on with room`()
      async throws
    {
      let database = try await TestDatabase.make()
      let loaded = try await LoadedStore(database.open())
      try await Self.fill(loaded)
      try await database.addTrigger(
        "no_room", on: "session", "RAISE 'could not extend file' USING ERRCODE = '53100';")
      let changes = try Self.changes(loaded)
      for _ in 0..<2 {
        let error = await #expect(throws: StoreError.self) { try await loaded.apply(changes) }
        #expect(error?.code == .full)
        #expect(error?.message.hasSuffix("could not extend file (SQLSTATE 53100)") == true)
      }
      #expect(try await database.counts() == "20|20|20")
      #expect(try await loaded.states(of: [.test(4)]) == [.test(4): Self.state(4, 1)])
      try await database.sql("DROP TRIGGER no_room ON proscenium.session")
      try await loaded.apply(changes)
      try await loaded.store.close()
      try await Self.expect(Self.expected, in: database)
    }

    @Test(arguments: [
      ("22000", StoreError.Code.failed), ("54000", .limitExceeded), ("XX001", .damaged),
    ])
    func `of a session that cannot be written nothing is, and the others are`(
      state: String, code: StoreError.Code
    ) async throws {
      let database = try await TestDatabase.make()
      let loaded = try await LoadedStore(database.open())
      try await Self.fill(loaded)
      try await database.addTrigger(
        "refusing", on: "state",
        "IF new.id = '\(SessionIdentifier.test(5))' THEN RAISE 'no' USING ERRCODE = '\(state)';"
          + " END IF;")
      let row = SessionRow(persistentIdentifier: .test(5), title: "changed")
      let refusals = try await loaded.commit(Self.changes(loaded) + [(.test(5), .update(row))])
      #expect(refusals.keys.sorted() == [.test(5)])
      #expect(refusals[.test(5)]?.code == code)
      #expect(refusals[.test(5)]?.session == .test(5))
      var expected = Self.expected
      expected[.test(5)] = Self.state(5, 1)
      try await loaded.store.close()
      try await Self.expect(expected, in: database)
      #expect(try await database.sql("SELECT count(title) FROM proscenium.session") == "0")
    }
  }
#endif
