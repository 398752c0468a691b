// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import ProsceniumPrimitives
import Testing

@testable import ProsceniumSQLite

@Suite struct SQLiteSessionStoreTests {
  @Test func `what was committed is there after the store was opened again`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1), .test(2)])
    try await store.save([1, 2, 3], of: .test(1))
    let before = try store.state(of: .test(1))
    #expect(before == [1, 2, 3])
    store = try await store.reopened()
    let rows = try await store.load()
    #expect(Set(rows.keys) == [.test(1), .test(2)])
    #expect(rows[.test(1)]?.hasSavedState == true)
    #expect(rows[.test(2)]?.hasSavedState == false)
    let states = try [store.state(of: .test(1)), store.state(of: .test(2))]
    #expect(states == [[1, 2, 3], nil])
  }

  @Test func `a row comes back as it was`() async throws {
    var store = try TestStore()
    try await store.load()
    let row = SessionRow(
      persistentIdentifier: .test(1),
      configuration: StoredConfiguration(
        role: .windowExternalDisplay, name: "Editor", delegateClass: "E", sceneClass: "S",
        manifestRevision: "7"),
      lastActivated: 1 << 40, group: "left",
      activationConditions: SceneActivationConditions(
        can: try ContentPredicate(format: "SELF BEGINSWITH 'a'"), prefers: .true),
      title: "Ti\0tle", subtitle: "", destructionConditions: [.systemDisconnection])
    try await store.commit([(.test(1), .insert(row))])
    store = try await store.reopened()
    let found = try await store.load()[.test(1)]
    #expect(found.map { "\($0)" } == "\(row)")
  }

  @Test func `of several changes of one session the last one counts`() async throws {
    var store = try TestStore()
    try await store.load()
    let first = try store.seal([1], of: .test(1))
    let second = try store.seal([2], of: .test(1))
    try await store.commit([
      (.test(1), .insert(SessionRow(persistentIdentifier: .test(1), title: "a"))),
      (.test(1), .save(first)), (.test(1), .activate(lastActivated: 5)),
      (.test(1), .update(SessionRow(persistentIdentifier: .test(1), title: "b"))),
      (.test(1), .save(second)), (.test(1), .activate(lastActivated: 6)),
      (.test(2), .insert(SessionRow(persistentIdentifier: .test(2)))), (.test(2), .remove),
    ])
    store = try await store.reopened()
    let rows = try await store.load()
    #expect(Array(rows.keys) == [.test(1)])
    #expect(rows[.test(1)]?.title == "b")
    #expect(rows[.test(1)]?.lastActivated == 6)
    let state = try store.state(of: .test(1))
    #expect(state == [2])
  }

  @Test func `a removed session is gone`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1), .test(2)])
    try await store.save([1], of: .test(1))
    try await store.commit([(.test(1), .remove)])
    let state = try store.state(of: .test(1))
    #expect(state == nil)
    store = try await store.reopened()
    let rows = try await store.load()
    #expect(Array(rows.keys) == [.test(2)])
  }

  @Test func `an inserted session has no state of the one before`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.save([1], of: .test(1))
    try await store.insert([.test(1)])
    let state = try store.state(of: .test(1))
    #expect(state == nil)
    store = try await store.reopened()
    let rows = try await store.load()
    #expect(rows[.test(1)]?.hasSavedState == false)
    try await store.save([2], of: .test(1))
    let newer = try store.state(of: .test(1))
    #expect(newer == [2])
  }

  @Test func `of a session with a change of an earlier epoch nothing is written`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    let old = store.epoch
    try await store.load()
    let changes = [
      StoreChange(
        session: .test(2), epoch: store.epoch,
        kind: .insert(SessionRow(persistentIdentifier: .test(2)))),
      StoreChange(session: .test(1), epoch: old, kind: .remove),
    ]
    let refusals = try await store.store.commit(changes)
    #expect(refusals.mapValues(\.code) == [.test(1): .fenced])
    let rows = try await store.load()
    #expect(Set(rows.keys) == [.test(1), .test(2)])
  }

  @Test func `changes of sessions that are not kept do nothing`() async throws {
    var store = try TestStore()
    try await store.load()
    let record = try store.seal([1], of: .test(9))
    try await store.commit([
      (.test(9), .save(record)), (.test(9), .activate(lastActivated: 1)), (.test(9), .remove),
      (.test(9), .update(SessionRow(persistentIdentifier: .test(9)))),
    ])
    let rows = try await store.load()
    #expect(rows.isEmpty)
  }

  @Test func `restoring is remembered`() async throws {
    var store = try TestStore()
    let first = try await store.loadAll().load
    try await store.store.setRestoring(true)
    store = try await store.reopened()
    let second = try await store.loadAll().load
    #expect(!first.isRestoring)
    #expect(second.isRestoring)
    #expect(second.epoch > first.epoch)
  }

  @Test func `a store that was closed gives no state, not even one that was just saved`()
    async throws
  {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.save([1], of: .test(1))
    #expect(try store.state(of: .test(1)) == [1])
    try await store.store.close()
    #expect(throws: StoreError.self) { try store.state(of: .test(1)) }
  }

  @Test func `the order of activations is written once a second, or with another change`()
    async throws
  {
    let time = Guarded<Int64>(1_000)
    var options = SQLiteSessionStore.Options()
    options.now = { time.withLock { $0 } }
    var store = try TestStore(TemporaryFolder(), options)
    try await store.load()
    try await store.insert([.test(1), .test(2), .test(3)])
    func written() throws -> [Int64] {
      let reader = try SQLiteConnection.openForReading(store.folder.path("store"))
      defer { reader.close() }
      return try (0..<3).map {
        try reader.integer(
          "SELECT last_activated FROM session ORDER BY number LIMIT 1 OFFSET \($0)")
      }
    }
    try await store.commit([(.test(1), .activate(lastActivated: 1))])
    try await store.commit([(.test(2), .activate(lastActivated: 2))])
    #expect(try written() == [0, 0, 0])
    try await store.save([1], of: .test(2))
    #expect(try written() == [0, 2, 0])
    time.withLock { $0 += 1 }
    try await store.commit([(.test(3), .activate(lastActivated: 3))])
    #expect(try written() == [1, 2, 3])
    try await store.commit([(.test(1), .activate(lastActivated: 4))])
    #expect(try written() == [1, 2, 3])
    store = try await store.reopened()
    let rows = try await store.load()
    #expect((1...3).map { rows[.test($0)]?.lastActivated } == [4, 2, 3])
  }

  @Test func `an activation that is written alone leaves the saved state as it is`() async throws {
    let time = Guarded<Int64>(1_000)
    var options = SQLiteSessionStore.Options()
    options.now = { time.withLock { $0 } }
    var store = try TestStore(TemporaryFolder(), options)
    try await store.load()
    try await store.insert([.test(1), .test(2)])
    for state in UInt8(1)...3 { try await store.save([state], of: .test(1)) }
    try await store.commit([(.test(1), .activate(lastActivated: 7))])
    time.withLock { $0 += 1 }
    try await store.save([9], of: .test(2))
    #expect(try store.state(of: .test(1)) == [3])
    store = try await store.reopened()
    #expect(try await store.load()[.test(1)]?.lastActivated == 7)
    #expect(try store.state(of: .test(1)) == [3])
  }
}
