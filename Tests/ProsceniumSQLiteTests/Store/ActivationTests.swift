// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
@testable import ProsceniumSQLite
import Testing

/// Activations, which are appended to a table of their own.
@Suite struct ActivationTests {
  private static let sessions = (1...60).map { SessionIdentifier.test($0) }

  private static let last = "number = (SELECT max(number) FROM activation)"

  /// A store in which sessions became active in many commits, and the counter of each.
  private static func filled(
    commits: Int
  ) async throws -> (store: TestStore, counters: [SessionIdentifier: UInt64]) {
    var store = try TestStore()
    try await store.load()
    try await store.insert(sessions)
    var random = SplitMix64(seed: UInt64(commits))
    var counters = Dictionary(uniqueKeysWithValues: sessions.map { ($0, UInt64(0)) })
    var counter: UInt64 = 0
    for _ in 0..<commits {
      var changes: [(SessionIdentifier, StoreChange.Kind)] = []
      for _ in 0..<40 {
        // Some never become active, and some only in the beginning.
        let session = sessions[min(random.number(below: 40), random.number(below: 58))]
        counter += 1
        counters[session] = counter
        changes.append((session, .activate(lastActivated: counter)))
      }
      if commits < 10 { changes.append((sessions[2], .update(row(sessions[2])))) }
      try await store.commit(changes)
    }
    return (store, counters)
  }

  private static func row(_ session: SessionIdentifier) -> SessionRow {
    SessionRow(persistentIdentifier: session, title: "changed")
  }

  private func change(_ store: TestStore, _ statements: String) throws {
    let queue = try ConnectionQueue(store.folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in try connection.execute(statements) }
    queue.close()
  }

  @Test(arguments: [3, 300])
  func `the last activation of each session is found again`(commits: Int) async throws {
    var (store, counters) = try await Self.filled(commits: commits)
    for _ in 0..<2 {
      store = try await store.reopened()
      let (load, rows) = try await store.loadAll()
      #expect(load.damage.isEmpty)
      #expect(rows.mapValues(\.lastActivated) == counters)
    }
    let reader = try SQLiteConnection.openForReading(store.folder.path("store"))
    defer { reader.close() }
    let list = try reader.prepare("SELECT session, last_activated FROM session_list")
    defer { list.finalize() }
    var listed: [SessionIdentifier: UInt64] = [:]
    while try list.step() {
      let session = try #require(list.text(0).flatMap { SessionIdentifier($0) })
      listed[session] = UInt64(list.integer(1))
    }
    #expect(listed == counters)
  }

  @Test func `there are never many more than count`() async throws {
    let (store, _) = try await Self.filled(commits: 300)
    try await store.store.close()
    let reader = try SQLiteConnection.openForReading(store.folder.path("store"))
    defer { reader.close() }
    let count = try reader.integer("SELECT count(*) FROM activation")
    #expect(count <= 2 * 60 + ActivationKeeping.slack + 1)
    let span = try reader.integer(
      "SELECT max(number) - min(number) + 1 FROM activation WHERE number > 0")
    #expect(span == count - 1)
  }

  @Test func `a session that becomes active as its last activation goes has the new one`()
    async throws
  {
    var store = try TestStore()
    try await store.load()
    try await store.insert(Self.sessions)
    let once = Self.sessions[0]
    var counter: UInt64 = 0
    func active(_ session: SessionIdentifier) -> (SessionIdentifier, StoreChange.Kind) {
      counter += 1
      return (session, .activate(lastActivated: counter))
    }
    try await store.commit([active(once)])
    let allowed = 2 * Self.sessions.count + Int(ActivationKeeping.slack)
    while Int(counter) + 40 <= allowed {
      try await store.commit(Self.sessions[1...40].map(active))
    }
    // Now there are too many, and the first of all goes.
    let last = [active(once)]
    try await store.commit(last + Self.sessions[1...40].map(active))
    store = try await store.reopened()
    let rows = try await store.load()
    #expect(rows[once]?.lastActivated == counter - 40)
  }

  @Test func `a session that follows in the slot of another has none of its activations`()
    async throws
  {
    var (store, _) = try await Self.filled(commits: 3)
    let removed = Self.sessions[1]
    try await store.commit([(removed, .remove)])
    try await store.insert([.test(100)])
    store = try await store.reopened()
    let rows = try await store.load()
    #expect(rows[removed] == nil)
    #expect(rows[.test(100)]?.lastActivated == 0)
    try await store.commit([(.test(100), .update(Self.row(.test(100))))])
    store = try await store.reopened()
    let again = try await store.load()
    #expect(again[.test(100)]?.lastActivated == 0)
  }

  @Test(arguments: [
    "UPDATE activation SET counter = counter - 1 WHERE \(last)",
    "DELETE FROM activation WHERE \(last)",
    "DELETE FROM activation WHERE number = 1", "DELETE FROM activation WHERE number = 7",
    "DELETE FROM activation WHERE number = 0", "UPDATE activation SET sid = 9 WHERE number = 0",
    "DELETE FROM activation",
  ])
  func `an activation that is lost is reported once, and the table made again`(
    damage: String
  ) async throws {
    var (store, counters) = try await Self.filled(commits: 3)
    try await store.store.close()
    try change(store, damage)
    let path = store.folder.path("store")
    let key = TestStore.key
    let verdict = try StoreVerification.run(
      path, key: .callback { try ApplicationKeys(primary: key) })
    #expect(!verdict.isSound)
    store = try TestStore(store.folder)
    var (load, rows) = try await store.loadAll()
    #expect(load.damage.map(\.code) == [.damaged])
    #expect(rows.count == Self.sessions.count)
    #expect(rows.allSatisfy { $1.lastActivated <= counters[$0] ?? 0 && $1.damage == nil })
    // From here on it is as good as any other.
    counters = rows.mapValues(\.lastActivated)
    counters[Self.sessions[5]] = 1_000
    try await store.commit([(Self.sessions[5], .activate(lastActivated: 1_000))])
    store = try await store.reopened()
    (load, rows) = try await store.loadAll()
    #expect(load.damage.isEmpty)
    #expect(rows.mapValues(\.lastActivated) == counters)
    try await store.store.close()
    let sound = try StoreVerification.run(
      path, key: .callback { try ApplicationKeys(primary: key) })
    #expect(sound.isSound, "\(sound.damage)")
  }

  @Test func `where the table cannot be used, activations go into the rows of sessions`()
    async throws
  {
    var (store, _) = try await Self.filled(commits: 3)
    try await store.store.close()
    let path = store.folder.path("store")
    let reader = try SQLiteConnection.openForReading(path)
    let page = try reader.integer("SELECT rootpage FROM sqlite_master WHERE name = 'activation'")
    reader.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(Int(page) - 1) * UInt64(StoreSchema.pageSize))
    try file.write(contentsOf: Bytes(repeating: 0xEE, count: 64))
    try file.close()
    for round in 1...2 as ClosedRange<UInt64> {
      store = try TestStore(store.folder)
      let (load, rows) = try await store.loadAll()
      #expect(load.damage.map(\.code) == [.damaged])
      #expect(rows.count == Self.sessions.count)
      if round == 2 { #expect(rows[Self.sessions[5]]?.lastActivated == 1_001) }
      try await store.commit([
        (Self.sessions[5], .activate(lastActivated: 1_000 + round)),
        (Self.sessions[6], .update(Self.row(Self.sessions[6]))),
      ])
      try await store.store.close()
    }
  }
}
