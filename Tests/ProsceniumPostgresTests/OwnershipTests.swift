// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import PostgresTestServer
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumPostgres

  /// Who may use a store, and what becomes of a store that another process has taken over.
  @Suite(.timeLimit(.minutes(10))) struct OwnershipTests {
    /// How long it may take to do something at once on a machine with much to do.
    private static let atOnce = Duration.seconds(20)

    /// How long a load takes.
    private static func time(
      of store: PostgresSessionStore
    ) async throws -> (time: Duration, loaded: LoadedStore) {
      let start = ContinuousClock.now
      let loaded = try await LoadedStore(store)
      return (ContinuousClock.now - start, loaded)
    }

    /// The error of a load, or `nil` if it succeeds.
    private static func refusal(_ store: PostgresSessionStore) async throws -> StoreError? {
      do {
        _ = try await LoadedStore(store)
        return nil
      } catch let error as StoreError {
        return error
      }
    }

    @Test func `a second store is told who uses the store, until the first one is closed`()
      async throws
    {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(
        database.open {
          $0.name = "the first"
          $0.lease = .seconds(60)
        })
      let second = try database.open { $0.lease = .seconds(60) }
      for _ in 0..<2 {
        let error = try await Self.refusal(second)
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("of node 1, the first, which is alive") == true)
      }
      try await first.apply(first.making(.test(1), [1]))
      try await first.store.close()
      let (time, loaded) = try await Self.time(of: second)
      #expect(time < Self.atOnce)
      #expect(loaded.epoch > first.epoch)
      #expect(try await loaded.states(of: [.test(1)]) == [.test(1): [1]])
    }

    @Test func `a store with the shortest lease is never taken over while it lives`()
      async throws
    {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(database.open())
      let second = try database.open()
      for _ in 0..<3 { #expect(try await Self.refusal(second)?.code == .inUse) }
      try await first.apply(first.making(.test(1), [1]))
    }

    @Test func `after a crash the next store waits for the lease`() async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(database.open())
      try await first.apply(first.making(.test(1), [1]))
      await first.store.abandon()
      let (time, second) = try await Self.time(of: database.open())
      #expect(time >= .seconds(1))
      #expect(time < Self.atOnce)
      #expect(second.rows.keys.sorted() == [.test(1)])
    }

    @Test(arguments: ["a machine", String(repeating: "long", count: 100), "a\0b\u{1A}", ""])
    func `with a lock file the next store does not wait after a crash`(name: String) async throws {
      let database = try await TestDatabase.make()
      let open = {
        try database.open {
          $0.name = name
          $0.lease = .seconds(60)
        }
      }
      let first = try await LoadedStore(open())
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.code == .inUse)
      await first.store.abandon()
      let (time, second) = try await Self.time(of: open())
      #expect(time < Self.atOnce)
      #expect(second.epoch > first.epoch)
    }

    @Test func `a lock file is let go of though another process has it open`() async throws {
      let database = try await TestDatabase.make()
      let store = try database.open()
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let file = files.first { file in
        let path = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(file)")
        return path == database.lockFile
      }
      // As a process has it that was started from this one and does not run its program yet.
      let copy = dup(try #require(file.flatMap { Int32($0) }))
      defer { close(copy) }
      try await store.close()
      try await database.open().close()
    }

    @Test(arguments: 0..<6)
    func `of stores that are loaded at once one is, on a new database and after a crash`(
      round: Int
    ) async throws {
      let database = try await TestDatabase.make().withoutLockFile
      if round % 2 == 1 {
        let before = try await LoadedStore(database.open())
        await before.store.abandon()
      }
      let stores = try (0..<3).map { _ in try database.open { $0.lease = .seconds(2) } }
      let errors = try await withThrowingTaskGroup(of: StoreError?.self) { group in
        for store in stores { group.addTask { try await Self.refusal(store) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(errors.count { $0 == nil } == 1)
      #expect(errors.compactMap(\.self).filter { $0.code != .inUse } == [])
      withExtendedLifetime(stores) {}
    }

    @Test func `a store that was cut off and taken over writes nothing`() async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let proxy = try TCPProxy(to: database.server.port)
      defer { proxy.close() }
      let first = try await LoadedStore(database.behind(proxy).open())
      try await first.apply(first.making(.test(0), [0]))
      proxy.mode = .blackHole
      let second = try await LoadedStore(database.open())
      proxy.mode = .forward
      let late = (0..<40).map { SessionIdentifier.test($0) }
      let changes = try late.flatMap { try first.making($0, [7]) }
      let refusals = try await first.commit(changes + [(.test(0), .remove)])
      #expect(Set(refusals.keys) == Set(late))
      #expect(refusals.allSatisfy { $1.code == .fenced && $1.session == $0 })
      for _ in 0..<2 {
        let note = await #expect(throws: StoreError.self) {
          try await first.store.setRestoring(true)
        }
        #expect(note?.code == .fenced)
        let time = await #expect(throws: StoreError.self) {
          try await first.store.setRunningTime(7, epoch: first.epoch)
        }
        #expect(time?.code == .fenced)
      }
      try await second.apply(second.making(.test(1), [1]))
      try await first.store.close()
      try await second.apply(second.making(.test(2), [2]))
      #expect(
        try await second.states(of: late) == [.test(0): [0], .test(1): [1], .test(2): [2]])
      #expect(try await database.sql("SELECT count(*) FROM proscenium.session") == "3")
      #expect(
        try await database.sql(
          "SELECT bool_or(restoring), max(running_time) FROM"
            + " proscenium.slice, proscenium.cluster") == "f|0")
    }

    @Test func `a store that is loaded again after a takeover writes what can be read`()
      async throws
    {
      let database = try await TestDatabase.make().withoutLockFile
      let store = try database.open()
      let first = try await LoadedStore(store)
      try await first.apply(first.making(.test(1), [1]) + first.making(.test(2), [2]))
      try await database.bury(database.owner())
      let other = try await LoadedStore(database.open())
      // Another process gives the session another key.
      try await other.apply([other.saving([3], of: .test(1))])
      try await other.store.close()
      let again = try await LoadedStore(store)
      #expect(again.epoch > other.epoch)
      try await again.apply([again.saving([4], of: .test(1)), again.saving([5], of: .test(2))])
      #expect(
        try await again.states(of: [.test(1), .test(2)]) == [.test(1): [4], .test(2): [5]])
      try await store.close()
      let last = try await LoadedStore(database.open())
      #expect(try await last.states(of: [.test(1), .test(2)]) == [.test(1): [4], .test(2): [5]])
    }

    @Test func `a store that is loaded again after a takeover writes behind its new fence`()
      async throws
    {
      let database = try await TestDatabase.make().withoutLockFile
      let store = try database.open()
      let first = try await LoadedStore(store)
      try await first.apply(first.making(.test(1), [1]))
      // Each connection raises the fence.
      for _ in 0..<6 {
        try await database.sql(
          """
          SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'proscenium % lane%'
          """)
        try await first.apply([first.saving([2], of: .test(1))])
      }
      try await database.bury(database.owner())
      let again = try await LoadedStore(store)
      try await again.apply([again.saving([3], of: .test(1))])
      #expect(try await again.states(of: [.test(1)]) == [.test(1): [3]])
    }

    @Test func `a store that is taken for dead while it waits joins again`() async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(database.open())
      await first.store.abandon()
      let second = try database.open { $0.lease = .seconds(60) }
      let load = Task { try await LoadedStore(second).epoch }
      while try await database.sql("SELECT max(node) FROM proscenium.node") != "2" {
        try await Task.sleep(for: .milliseconds(20))
      }
      try await database.bury(2)
      try await database.bury(1)
      #expect(try await load.value > first.epoch)
      #expect(try await database.owner() == 3)
    }

    @Test func `epochs grow over all takeovers`() async throws {
      let database = try await TestDatabase.make()
      var epochs: [UInt32] = []
      for round in 0..<6 {
        let loaded = try await LoadedStore(database.open())
        epochs.append(loaded.epoch)
        switch round % 3 {
        case 0: try await loaded.store.close()
        case 1: await loaded.store.abandon()
        default:
          try await database.bury(database.owner())
          epochs.append(try await LoadedStore(loaded.store).epoch)
          try await loaded.store.close()
        }
      }
      #expect(epochs == epochs.sorted())
      #expect(Set(epochs).count == epochs.count)
    }

    @Test func `sessions are discarded only while no application uses the store`() async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(database.open())
      try await first.apply(first.making(.test(1), [1]) + first.making(.test(2), [2]))
      let tool = try database.open()
      let error = await #expect(throws: StoreError.self) {
        try await tool.discardWhileNotRunning(.test(1))
      }
      #expect(error?.code == .inUse)
      try await first.store.close()
      try await tool.discardWhileNotRunning([.test(1), .test(3)])
      try await tool.close()
      let second = try await LoadedStore(database.open())
      #expect(second.rows.values.filter(\.isDiscarded).map(\.persistentIdentifier) == [.test(1)])
      #expect(second.rows.values.count { $0.damage == nil } == 2)
      #expect(try await second.states(of: [.test(1), .test(2)]) == [.test(2): [2]])
    }

    // MARK: - Burials during a commit

    /// Offers changes again for as long as that fails, and gives the refusals.
    private static func refusals(
      of changes: [SessionChange], by loaded: LoadedStore
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      while true {
        do throws(StoreError) {
          return try await loaded.commit(changes)
        } catch {
          guard error.code == .failed else { throw error }
        }
      }
    }

    @Test func `a commit that waits while its node is buried writes nothing`() async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(database.open())
      let sessions = (0..<20).map { SessionIdentifier.test($0) }
      let changes = try sessions.flatMap { try first.making($0, [1]) }
      let table = try await HeldTable("session", of: database)
      // A burial that comes to nothing ends the connections all the same.
      async let commit = Self.refusals(of: changes, by: first)
      try await table.hasWaiting(2)
      try await database.bury(database.owner())
      let refusals = try await commit
      #expect(Set(refusals.keys) == Set(sessions))
      #expect(refusals.allSatisfy { $1.code == .fenced && $1.session == $0 })
      try await table.release()
      #expect(try await database.counts() == "0|0|0")
    }

    @Test func `a node whose connections outlive its burial writes nothing`() async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(database.open())
      try await first.apply(first.making(.test(1), [1]))
      // As it is behind a pooler, which gives its own names to connections.
      try await database.sql("UPDATE proscenium.node SET state = 'x', fence = fence + 1")
      let refusals = try await first.commit([first.saving([2], of: .test(1))])
      #expect(refusals[.test(1)]?.code == .fenced)
      try await database.sql("UPDATE proscenium.node SET state = 'l'")
      #expect(try await first.states(of: [.test(1)]) == [.test(1): [1]])
    }

    /// What commits have come to, session by session.
    private struct Commits {
      var acknowledged: Set<SessionIdentifier> = []
      var refused: Set<SessionIdentifier> = []

      /// Commits groups of new sessions until one is refused.
      mutating func run(_ loaded: LoadedStore, _ didCommit: () -> Void) async throws {
        var next = 0
        while refused.isEmpty {
          let sessions = (next..<next + 200).map { SessionIdentifier.test($0) }
          next += 200
          let state = [UInt8](repeating: 3, count: 500)
          let changes = try sessions.flatMap { try loaded.making($0, state) }
          let refusals = try await OwnershipTests.refusals(of: changes, by: loaded)
          #expect(refusals.allSatisfy { $1.code == .fenced })
          refused.formUnion(refusals.keys)
          acknowledged.formUnion(Set(sessions).subtracting(refusals.keys))
          didCommit()
        }
      }
    }

    @Test(arguments: 0..<4)
    func `a commit during a burial is acknowledged and there, or refused and not there`(
      round: Int
    ) async throws {
      let database = try await TestDatabase.make().withoutLockFile
      let first = try await LoadedStore(database.open())
      let node = try await database.owner()
      let (commits, committed) = AsyncStream.makeStream(of: Void.self)
      async let burial: Void = {
        for await _ in commits { break }
        try await database.bury(node)
      }()
      var outcome = Commits()
      try await outcome.run(first) { committed.yield() }
      try await burial
      let second = try await LoadedStore(database.open())
      #expect(!outcome.acknowledged.isEmpty)
      #expect(Set(second.rows.keys) == outcome.acknowledged)
      #expect(second.rows.values.count { $0.hasSavedState } == second.rows.count)
    }
  }
#endif
