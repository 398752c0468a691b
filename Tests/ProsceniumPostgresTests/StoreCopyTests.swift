// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPredicate
  import ProsceniumPrimitives
  import ProsceniumSQLite
  import Testing

  /// Copies between kinds of stores, and what looks at a store in PostgreSQL.
  @Suite(.timeLimit(.minutes(10))) struct StoreCopyTests {
    /// Sessions in which everything is set that a store keeps, and some in which nothing is.
    private static func fill(_ store: some SessionStore, count: Int) async throws -> StoreLoad {
      let load = try await store.load { _ in }
      for number in 0..<count {
        let session = SessionIdentifier.test(number)
        var row = SessionRow(persistentIdentifier: session)
        if number % 2 == 0 {
          row.configuration = StoredConfiguration(
            name: "name \(number % 5)", delegateClass: "D", manifestRevision: "3")
          row.group = SceneGroup(rawValue: "group \(number % 7)")
          row.activationConditions = SceneActivationConditions(
            can: try ContentPredicate(format: "SELF BEGINSWITH '\(number)'"), prefers: .true)
          row.title = "title\0\u{1A} \(number)"
          row.destructionConditions = [.systemDisconnection]
          row.lastActivated = UInt64(number)
          row.nextWake = Int64(number) - 5
          row.owner = "owner \(number % 3)"
          row.lastUsed = Int64(number)
        }
        var changes = [StoreChange(session: session, epoch: load.epoch, kind: .insert(row))]
        if number % 3 != 0 {
          let activity = UserActivity("a", userInfo: ["number": .integer(Int64(number))])
          let state = try SavedState(activity: activity).encoded()
          let sealed = try unsafe store.seal(state.span.bytes, of: session, epoch: load.epoch)
          changes.append(StoreChange(session: session, epoch: load.epoch, kind: .save(sealed)))
        }
        #expect(try await store.commit(changes) == [:])
      }
      try await store.setRestoring(true)
      try await store.setRunningTime(77, epoch: load.epoch)
      return load
    }

    private static func rows(_ store: some SessionStore) async throws -> ([String], StoreLoad) {
      let rows = Guarded<[SessionRow]>([])
      let load = try await store.load { batch in rows.withLock { $0 += batch } }
      return (rows.withLock { $0 }.map { "\($0)" }.sorted(), load)
    }

    private static func sqlite(_ path: String, key: UInt8) throws -> SQLiteSessionStore {
      try SQLiteSessionStore(
        path: path,
        key: .callback { try ApplicationKeys(primary: [UInt8](repeating: key, count: 32)) })
    }

    @Test func `a store goes to PostgreSQL and back, and is the same`() async throws {
      let folder = NSTemporaryDirectory() + "copy-\(UUID())"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let first = try Self.sqlite(folder + "/first", key: 1)
      _ = try await Self.fill(first, count: 700)
      let database = try await TestDatabase.make()
      let middle = try database.open()
      let there = try await StoreCopy(from: first, to: middle).run()
      #expect(there.report.isSound)
      #expect(there.report.sessions == 700)
      #expect(there.report.states == 466)
      let last = try Self.sqlite(folder + "/last", key: 2)
      let back = try await StoreCopy(from: middle, to: last).run()
      #expect(back.report.states == 466)
      let (before, load) = try await Self.rows(first)
      let (after, loadAfter) = try await Self.rows(last)
      #expect(before == after)
      #expect(loadAfter.isRestoring == load.isRestoring)
      #expect(loadAfter.runningTime == 77)
      for store in [first, last] { try await store.close() }
      try await middle.close()
    }

    @Test func `a copy that was interrupted is begun again, and other sessions are not touched`()
      async throws
    {
      let database = try await TestDatabase.make()
      let (source, target) = (InMemorySessionStore(), try database.open())
      _ = try await Self.fill(source, count: 600)
      // As far as a copy may have come.
      _ = try await Self.fill(target, count: 256)
      let result = try await StoreCopy(from: source, to: target).run()
      #expect(result.report.sessions == 600)
      let other = InMemorySessionStore()
      _ = try await Self.fill(other, count: 3)
      let error = await #expect(throws: StoreError.self) {
        try await StoreCopy(from: other, to: target).run()
      }
      #expect(error?.code == .unusable)
      try await target.close()
    }

    @Test func `a store is looked at and verified while it is used`() async throws {
      let database = try await TestDatabase.make()
      let store = try database.open()
      _ = try await Self.fill(store, count: 30)
      let address = database.server.url(database: database.name)
      let key = CallbackKeyProvider { try ApplicationKeys(primary: TestDatabase.key) }
      let inspection = try await PostgresInspection(address, key: key)
      let totals = try await inspection.totals()
      #expect(totals.sessions == 30)
      #expect(totals.nodes == 1)
      var seen: [SessionIdentifier: Int?] = [:]
      try await inspection.forEachSession { session in
        seen[session.row.persistentIdentifier] = session.stateSize
      }
      #expect(seen.count == 30)
      #expect(seen.values.count { $0 != nil } == 20)
      let one = try #require(try await inspection.session(.test(4)))
      #expect(one.row.title == "title\0\u{1A} 4")
      let state = try #require(try await inspection.savedState(of: .test(4)))
      #expect(try SavedState(decoding: state).activity?.userInfo["number"] == .integer(4))
      #expect(try await inspection.session(.test(31)) == nil)
      await inspection.close()
      let report = try await PostgresVerification.run(address, key: key)
      #expect(report.isSound, "\(report.damage)")
      #expect(report.sessions == 30)
      #expect(report.states == 20)
      try await store.close()
    }

    @Test func `what is damaged is found by a verification`() async throws {
      let database = try await TestDatabase.make()
      let store = try database.open()
      _ = try await Self.fill(store, count: 30)
      try await store.close()
      let damage = [
        "UPDATE proscenium.state SET sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30))"
          + " WHERE id = '\(SessionIdentifier.test(1))'",
        "UPDATE proscenium.state SET version = version + 1"
          + " WHERE id = '\(SessionIdentifier.test(2))'",
        "UPDATE proscenium.session SET key = NULL WHERE id = '\(SessionIdentifier.test(4))'",
        "UPDATE proscenium.session SET can_activate = '('"
          + " WHERE id = '\(SessionIdentifier.test(5))'",
        "DELETE FROM proscenium.session WHERE id = '\(SessionIdentifier.test(7))'",
      ]
      for statement in damage {
        _ = try await database.server.sql(statement, database: database.name)
      }
      let report = try await PostgresVerification.run(
        database.server.url(database: database.name),
        key: .callback { try ApplicationKeys(primary: TestDatabase.key) })
      let sessions = Set(report.damage.compactMap(\.session))
      #expect(sessions == Set([1, 2, 4, 5].map { SessionIdentifier.test($0) }))
      #expect(report.damage.contains { $0.message.contains("sessions that are not there") })
    }
  }
#endif
