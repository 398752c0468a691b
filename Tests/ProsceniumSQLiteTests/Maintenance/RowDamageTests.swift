// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import Testing

@testable import ProsceniumSealing
import ProsceniumStoring
@testable import ProsceniumSQLite

/// Rows that are gone or older than the rest, and keys that do not fit.
@Suite(.serialized) struct RowDamageTests {
  @Test(arguments: [("session", "number"), ("configuration", "number"), ("store", "id")])
  func `rows that are gone are reported`(table: String, key: String) async throws {
    let filled = try await FilledStore(sessions: 24, rounds: 2)
    for place in 0..<(table == "store" ? 1 : 4) {
      let folder = try filled.copied()
      try change(
        folder,
        "DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) LIMIT 1 OFFSET \(place))"
      )
      let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
      #expect(!verdict.isSound, "row \(place)")
      let review = await DamageReview(of: folder, expecting: filled)
      #expect(review.isReported || table == "session", "row \(place)")
      // A session that is gone with its row and its place in the index is told by its state alone.
      if table != "session" { #expect(review.complaints.isEmpty, "\(review.complaints)") }
    }
  }

  @Test func `states that are older than their sessions' rows are refused, each for itself`()
    async throws
  {
    var filled = try await FilledStore(sessions: 24, rounds: 1)
    let old = try filled.copied()
    try await filled.openAgain()
    let folder = try filled.copied()
    try change(
      folder, "ATTACH '\(old.path("store"))' AS old",
      "INSERT OR REPLACE INTO main.state SELECT * FROM old.state", "DETACH old")
    let changed = filled.kept.sorted { $0.key < $1.key }.prefix(filled.kept.count / 2)
      .filter { $0.value.state != nil }.map(\.key)
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    #expect(Set(verdict.damage.compactMap(\.session)) == Set(changed))
    let review = await DamageReview(of: folder, expecting: filled)
    #expect(review.complaints.isEmpty, "\(review.complaints)")
    #expect(review.reported == Set(changed))
  }

  @Test func `a session whose key another application key wrapped is refused alone`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 2)
    let folder = try filled.copied()
    let session = SessionIdentifier.test(5)
    let queue = try ConnectionQueue(folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      let statement = try connection.prepare("UPDATE session SET key = ?2 WHERE id = ?1")
      defer { statement.finalize() }
      var generator = SystemRandomness()
      let wrapped = try StoreError.sealing { () throws(SealingError) in
        try KeyWrapper(applicationKey: SecretKey(Bytes(repeating: 99, count: 32)))
          .wrap(.random(using: &generator))
      }
      statement.bind(session, 1)
      statement.bind(wrapped, 2)
      try statement.run()
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
    try change(folder, "UPDATE store SET checksum = 1")
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

  private func change(_ folder: TemporaryFolder, _ statements: String...) throws {
    let queue = try ConnectionQueue(folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      for statement in statements { try connection.execute(statement) }
    }
    queue.close()
  }
}
