// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
@testable import ProsceniumSQLite
import Testing

/// Rows that are exchanged, sealed with another key, or older than the rest.
@Suite(.serialized) struct RowDamageTests {
  /// The columns of each table that are not the row's number.
  private static let tables = [
    ("segment", "seg", "body"), ("segment_toc", "seg", "total, toc"),
    ("session_key", "sid", "id, wrapped, checksum"), ("session_key", "sid", "wrapped"),
    ("session_key", "sid", "wrapped, checksum"),
    (
      "session", "sid",
      """
      id, configuration, group_name, title, subtitle, can_activate, prefers, destruction,
      last_activated, epoch, is_discarded, state_after, created_at, changed_at, checksum
      """
    ),
    ("opening", "opening", "salt, checksum"),
  ]

  @Test(arguments: tables)
  func `rows that were exchanged are reported`(
    table: String, key: String, columns: String
  ) async throws {
    var filled = try await FilledStore(sessions: 24, rounds: 2)
    if table == "opening" { try await filled.openAgain() }
    var generator = SplitMix64(seed: 1)
    for _ in 0..<6 {
      let folder = try filled.copied()
      let rows = try integers("SELECT \(key) FROM \(table)", folder.path("store"))
      let first = try #require(rows.randomElement(using: &generator))
      let second = try #require(rows.filter { $0 != first }.randomElement(using: &generator))
      try change(
        folder.path("store"),
        "CREATE TEMP TABLE t AS SELECT \(key) AS k, \(columns) FROM \(table)",
        """
        UPDATE \(table) SET (\(columns)) = (SELECT \(columns) FROM t WHERE k = \(second))
          WHERE \(key) = \(first)
        """,
        """
        UPDATE \(table) SET (\(columns)) = (SELECT \(columns) FROM t WHERE k = \(first))
          WHERE \(key) = \(second)
        """)
      let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
      let review = await DamageReview(of: folder, expecting: filled)
      let place = "rows \(first) and \(second)"
      #expect(review.complaints.isEmpty, "\(place): \(review.complaints)")
      // The second copy of an opening takes the place of the first.
      if table != "opening" { #expect(review.isReported, "\(place)") }
      #expect(!verdict.isSound, "\(place)")
      if table == "session" || table == "session_key" {
        #expect(review.reported.count <= 2, "\(place): \(review.reported)")
      }
    }
  }

  @Test(arguments: ["session", "session_key", "segment", "segment_toc", "store", "configuration"])
  func `rows that are gone are reported`(table: String) async throws {
    let filled = try await FilledStore(sessions: 24, rounds: 2)
    let key =
      ["store": "id", "configuration": "number"][table]
      ?? (table.first == "s" && table.contains("segment") ? "seg" : "sid")
    for row in try integers("SELECT \(key) FROM \(table) LIMIT 6", filled.path) {
      let folder = try filled.copied()
      try change(folder.path("store"), "DELETE FROM \(table) WHERE \(key) = \(row)")
      let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
      #expect(!verdict.isSound, "row \(row)")
      let review = await DamageReview(of: folder, expecting: filled)
      let complaints = review.storeDamage.isEmpty ? review.complaints : []
      // A segment may hold nothing that counts.
      if table != "segment" { #expect(review.isReported, "row \(row)") }
      #expect(complaints.isEmpty, "row \(row): \(complaints)")
    }
  }

  @Test func `a session whose key another application key wrapped is refused alone`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 2)
    let folder = try filled.copied()
    let session = SessionIdentifier.test(5)
    let queue = try ConnectionQueue(folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      let reading = try connection.prepare(
        "SELECT \(KeyRow.columns) FROM session_key WHERE id = ?1")
      reading.bind(session, 1)
      guard try reading.step(), var row = KeyRow(reading) else { return }
      reading.finalize()
      var generator = SystemRandomNumberGenerator()
      row.wrapped = try KeyWrapper(
        applicationKey: SecretKey(Bytes(repeating: 99, count: 32))
      )
      .wrap(.random(using: &generator))
      let writing = try connection.prepare(
        "INSERT OR REPLACE INTO session_key(\(KeyRow.columns)) VALUES (?1, ?2, ?3, ?4)")
      row.bind(to: writing)
      try writing.run()
      writing.finalize()
    }
    queue.close()
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    #expect(verdict.damage.map(\.session) == [session])
    let review = await DamageReview(of: folder, expecting: filled)
    #expect(review.complaints.isEmpty, "\(review.complaints)")
    #expect(review.reported == [session])
  }

  @Test func `a store that is sealed with another key is refused`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 2)
    let other = Bytes(repeating: 9, count: 32)
    let error = #expect(throws: StoreError.self) {
      _ = try TestStore(filled.copied(), key: other)
    }
    #expect(error?.code == .wrongKey)
    let verdict = #expect(throws: StoreError.self) {
      try StoreVerification.run(
        filled.path, key: CallbackKeyProvider { try ApplicationKeys(primary: other) })
    }
    #expect(verdict?.code == .wrongKey)
  }

  @Test func `a store whose own row is damaged still knows its key`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 2)
    let folder = try filled.copied()
    try change(folder.path("store"), "UPDATE store SET checksum = 1")
    let error = #expect(throws: StoreError.self) {
      _ = try TestStore(folder, key: Bytes(repeating: 9, count: 32))
    }
    #expect(error?.code == .wrongKey)
    // Its keys are changed all the same.
    let next = Bytes(repeating: 8, count: 32)
    var test = try TestStore(folder, key: next, previous: TestStore.key)
    try await test.load()
    #expect(try test.state(of: .test(5)) == filled.kept[.test(5)]?.state)
    test = try await test.reopened(key: next)
    try await test.load()
    #expect(try test.state(of: .test(5)) == filled.kept[.test(5)]?.state)
  }

  @Test func `an older row of the store is found out, and no opening comes twice`() async throws {
    var filled = try await FilledStore(sessions: 24, rounds: 1)
    let old = try filled.copied()
    try await filled.openAgain()
    let folder = try filled.copied()
    try restore("store", from: old, in: folder)
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    #expect(!verdict.isSound)
    let review = await DamageReview(of: folder, expecting: filled)
    #expect(review.complaints.isEmpty, "\(review.complaints)")
    let openings = try integers(
      "SELECT opening FROM opening ORDER BY opening", folder.path("store"))
    #expect(openings == [1, 2, 3])
  }

  @Test func `segments that come back after they were removed are found out`() async throws {
    // Large states, so that segments are removed by compaction.
    var test = try TestStore()
    try await test.load()
    let sessions = (0..<8).map { SessionIdentifier.test($0) }
    try await test.insert(sessions)
    var old: TemporaryFolder?
    var states: [SessionIdentifier: Bytes] = [:]
    for round in 0..<30 {
      for session in sessions {
        let state = Bytes(repeating: UInt8(round), count: 100_000)
        states[session] = state
        try await test.save(state, of: session)
      }
      if round == 20 {
        let folder = try TemporaryFolder()
        try StoreBackup.make(of: test.folder.path("store"), at: folder.path("store"))
        old = folder
      }
    }
    try await test.store.close()
    let before = try #require(old)
    let query = "SELECT seg FROM segment"
    let kept = try integers(query, test.folder.path("store"))
    let back = try integers(query, before.path("store")).filter { !kept.contains($0) }
    try #require(!back.isEmpty)
    try restore("segment", from: before, in: test.folder)
    try restore("segment_toc", from: before, in: test.folder)
    let path = test.folder.path("store")
    #expect(try !StoreVerification.run(path, key: FilledStore.key).isSound)
    test = try TestStore(test.folder)
    let load = try await test.loadAll().load
    #expect(!load.damage.isEmpty)
    for (session, state) in states { #expect(try test.state(of: session) == state) }
  }

  /// Puts the rows of an older copy in the place of those with the same numbers.
  private func restore(
    _ table: String, from old: TemporaryFolder, in folder: TemporaryFolder
  ) throws {
    try change(
      folder.path("store"), "ATTACH '\(old.path("store"))' AS old",
      "INSERT OR REPLACE INTO main.\(table) SELECT * FROM old.\(table)", "DETACH old")
  }

  private func change(_ path: String, _ statements: String...) throws {
    let queue = try ConnectionQueue(path, label: "test")
    try queue.wait { (connection) throws(StoreError) in
      for statement in statements { try connection.execute(statement) }
    }
    queue.close()
  }

  private func integers(_ query: String, _ path: String) throws -> [Int64] {
    let connection = try SQLiteConnection.openForReading(path)
    defer { connection.close() }
    let statement = try connection.prepare(query)
    defer { statement.finalize() }
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return numbers
  }
}
