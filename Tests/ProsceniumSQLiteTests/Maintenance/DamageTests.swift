// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import CSQLite
import Proscenium
@testable import ProsceniumSQLite
import Testing

/// Bits that flip and files that are cut off: whatever is lost is reported.
@Suite(.serialized) struct DamageTests {
  @Test(arguments: 1...6)
  func `a flipped bit is reported with the sessions that it concerns`(seed: UInt64) async throws {
    let filled = try await FilledStore(sessions: 36, rounds: 3, seed: seed)
    let file = Bytes(try #require(FileManager.default.contents(atPath: filled.path)))
    // Much of a small file is empty: most bits are flipped where something is.
    let used = file.indices.filter { file[$0] != 0 }
    var generator = SplitMix64(seed: seed)
    var counts = (refused: 0, silent: 0, whole: 0, unwritable: 0, sessions: 0)
    for flip in 0..<28 {
      let byte =
        flip % 4 == 0
        ? Int.random(in: 0..<file.count, using: &generator)
        : used[Int.random(in: 0..<used.count, using: &generator)]
      let bit = Int.random(in: 0..<8, using: &generator)
      let folder = try TemporaryFolder()
      var damaged = file
      damaged[byte] ^= 1 << bit
      _ = try folder.file("store", damaged)
      let verdict = try? StoreVerification.run(folder.path("store"), key: FilledStore.key)
      let review = await DamageReview(of: folder, expecting: filled)
      let place = "seed \(seed), bit \(bit) of byte \(byte)"
      #expect(review.complaints.isEmpty, "\(place): \(review.complaints)")
      if !review.unwritable.isSubset(of: review.reported) || review.refusesSessions {
        counts.unwritable += 1
      }
      if review.refusal != nil { counts.refused += 1 }
      if !review.isReported { counts.silent += 1 }
      if !review.storeDamage.isEmpty, review.reported.isEmpty { counts.whole += 1 }
      counts.sessions += review.reported.count
      guard let verdict else { continue }
      if review.isReported { #expect(!verdict.isSound, "\(place): verified as sound") }
      let unnamed = review.reported.subtracting(verdict.damage.compactMap(\.session))
      let messages = verdict.damage.map(\.message)
      #expect(unnamed.isEmpty, "\(place): the verification names others: \(messages)")
    }
    print(
      "seed \(seed): 28 flips, \(counts.refused) refused, \(counts.silent) without effect,"
        + " \(counts.whole) of the store alone, \(counts.sessions) sessions reported,"
        + " \(counts.unwritable) times others could not be written")
    // Where SQLite would put something new a page may be damaged.
    #expect(counts.unwritable <= 5)
  }

  /// Changes a database behind the store's back.
  private func edit(_ path: String, _ statement: String) {
    var connection: OpaquePointer?
    #expect(unsafe sqlite3_open(path, &connection) == SQLITE_OK)
    #expect(unsafe sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK)
    #expect(unsafe sqlite3_close(connection) == SQLITE_OK)
  }

  @Test func `a file that was cut off is refused as a whole`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 2)
    let file = try #require(FileManager.default.contents(atPath: filled.path))
    for end in stride(
      from: SQLiteConnection.pageSize, to: file.count, by: SQLiteConnection.pageSize)
    {
      let folder = try TemporaryFolder()
      _ = try folder.file("store", Bytes(file.prefix(end)))
      let error = #expect(throws: StoreError.self) {
        try StoreVerification.run(folder.path("store"), key: FilledStore.key)
      }
      #expect(error?.code == .unusable)
      #expect(error?.message.hasSuffix("found \(end): the file was cut off.") == true)
      let review = await DamageReview(of: folder, expecting: filled)
      #expect(review.refusal?.code == .unusable, "\(end) bytes")
      #expect(review.refusal?.message.hasSuffix("found \(end): the file was cut off.") == true)
    }
  }

  // MARK: - The log

  @Test(arguments: 1...6)
  func `damage in the log is reported, with and without its index`(seed: UInt64) async throws {
    let filled = try await FilledStore(sessions: 16, rounds: 2, seed: seed, isClosed: false)
    let log = Bytes(try #require(FileManager.default.contents(atPath: filled.path + "-wal")))
    #expect(log.count > 100_000)
    var generator = SplitMix64(seed: seed)
    for flip in 0..<10 {
      let folder = try filled.copied()
      if flip % 2 == 0 {
        try FileManager.default.removeItem(atPath: folder.path("store-shm"))
      }
      var damaged = log
      // Without the index a damaged last frame looks like one that a crash cut in two.
      let end = flip % 2 == 0 ? log.count - 24 - SQLiteConnection.pageSize : log.count
      let byte = Int.random(in: 0..<end, using: &generator)
      damaged[byte] ^= 1 << Int.random(in: 0..<8, using: &generator)
      _ = try folder.file("store-wal", damaged)
      try await expectLogDamage(folder, filled, "seed \(seed), byte \(byte)")
    }
    let sound = await DamageReview(of: try filled.copied(), expecting: filled)
    #expect(sound.complaints.isEmpty && !sound.isReported, "\(sound)")
  }

  @Test func `a log that was cut off is reported`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 1, isClosed: false)
    let log = Bytes(try #require(FileManager.default.contents(atPath: filled.path + "-wal")))
    let frame = 24 + SQLiteConnection.pageSize
    var ends = Array(stride(from: 32, to: log.count, by: frame * 5))
    ends += [0, 10, log.count - 1, log.count - frame]
    for end in ends {
      let folder = try filled.copied()
      _ = try folder.file("store-wal", Bytes(log.prefix(end)))
      try await expectLogDamage(folder, filled, "\(end) bytes")
    }
  }

  private func expectLogDamage(
    _ folder: TemporaryFolder, _ filled: FilledStore, _ place: String
  ) async throws {
    let check = try TemporaryFolder()
    for name in folder.names {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: check.path(name))
    }
    // Before the store is opened: SQLite takes what is damaged for the log's end.
    let verdict = try? StoreVerification.run(check.path("store"), key: FilledStore.key)
    #expect(verdict?.isSound != true, "\(place): verified as sound")
    if let verdict {
      #expect(verdict.damage.contains { $0.message.contains("-wal") }, "\(place): \(verdict)")
    }
  }

  // MARK: - Rows

  /// What is done to a store's rows, and the sessions that are lost by it.
  private static let rowChanges: [(String, [Int])] = [
    ("UPDATE session SET title = 'x' WHERE number = 3", [3]),
    ("UPDATE session SET title = NULL WHERE number = 3", [3]),
    ("UPDATE session SET can_activate = NULL WHERE number = 3", [3]),
    ("UPDATE session SET last_activated = 9 WHERE number = 3", [3]),
    ("UPDATE session SET destruction = destruction + 1 WHERE number = 3", [3]),
    ("UPDATE session SET next_wake = 0 WHERE number = 3", [3]),
    ("UPDATE session SET owner = 'another' WHERE number = 3", [3]),
    ("UPDATE session SET last_used = 9 WHERE number = 3", [3]),
    ("UPDATE session SET configuration = configuration % 2 + 1 WHERE number = 3", [3]),
    ("UPDATE session SET is_discarded = 1 WHERE number = 3", [3]),
    ("UPDATE session SET version = version - 1 WHERE number = 3", [3]),
    ("UPDATE session SET version = 0 WHERE number = 3", [3]),
    ("UPDATE session SET key = NULL WHERE number = 3", [3]),
    ("UPDATE session SET code = NULL WHERE number = 3", [3]),
    ("UPDATE session SET code = (SELECT code FROM session WHERE number = 4) WHERE number = 3", [3]),
    ("UPDATE session SET key = (SELECT key FROM session WHERE number = 4) WHERE number = 3", [3]),
    ("UPDATE state SET sealed = NULL WHERE session = 3", [3]),
    ("UPDATE session SET epoch = epoch + 1 WHERE number = 3", [3]),
    ("UPDATE session SET created_at = created_at - 1 WHERE number = 3", [3]),
    ("UPDATE session SET changed_at = changed_at - 1 WHERE number = 3", [3]),
    ("UPDATE state SET sealed = X'00' WHERE session = 3", [3]),
    ("DELETE FROM state WHERE session = 3", [3]),
    (
      "UPDATE state SET sealed = (SELECT sealed FROM state WHERE session = 4) WHERE session = 3",
      [3]
    ),
    (
      "UPDATE state SET session = -session WHERE session IN (3, 4);"
        + "UPDATE state SET session = 7 + session WHERE session < 0", [3, 4]
    ),
    (
      "UPDATE session SET number = -number WHERE number IN (3, 4);"
        + "UPDATE session SET number = 7 + number WHERE number < 0", [3, 4]
    ),
  ]

  @Test(arguments: rowChanges)
  func `a row that is missing, older, swapped or changed is refused, and no other`(
    statement: String, lost: [Int]
  ) async throws {
    let filled = try await FilledStore(sessions: 8, rounds: 2)
    let folder = try filled.copied()
    edit(folder.path("store"), statement)
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    // The first session was removed, so that the others' rows have their numbers.
    let sessions = Set(lost.map { SessionIdentifier.test($0 - 1) })
    #expect(Set(verdict.damage.compactMap(\.session)) == sessions, "\(verdict.damage)")
    var test = try TestStore(folder)
    let rows = try await test.load()
    for (session, kept) in filled.kept {
      guard sessions.contains(session) else {
        #expect(try test.state(of: session) == kept.state)
        continue
      }
      let error = #expect(throws: StoreError.self) { try test.state(of: session) }
      #expect(error?.code == .damaged)
      #expect(error?.session == session)
      // A state alone does not heal what is in the open; both together do.
      let state = try test.seal([9], of: session)
      guard rows[session]?.isDiscarded == false else { continue }
      try await test.commit([
        (session, .update(SessionRow(persistentIdentifier: session))), (session, .save(state)),
      ])
      #expect(try test.state(of: session) == [9])
    }
  }

  @Test func `an older state of the same session is refused`() async throws {
    var test = try TestStore()
    try await test.load()
    try await test.insert([.test(1)])
    try await test.save([1], of: .test(1))
    try await test.store.close()
    let path = test.folder.path("store")
    edit(path, "CREATE TABLE old AS SELECT * FROM state")
    test = try TestStore(test.folder)
    try await test.load()
    try await test.save([2], of: .test(1))
    try await test.store.close()
    edit(
      path, "UPDATE state SET sealed = (SELECT sealed FROM old); DROP TABLE old")
    test = try TestStore(test.folder)
    try await test.load()
    let error = #expect(throws: StoreError.self) { try test.state(of: .test(1)) }
    #expect(error?.code == .damaged)
  }

  @Test func `a late save makes nothing of a session that was removed`() async throws {
    var test = try TestStore()
    try await test.load()
    try await test.insert([.test(1), .test(2)])
    let late = try test.seal([1], of: .test(1))
    try await test.commit([(.test(1), .remove)])
    try await test.commit([
      (.test(1), .save(late)), (.test(2), .save(try test.seal([2], of: .test(2)))),
    ])
    #expect(try test.state(of: .test(1)) == nil)
    let report = try StoreVerification.run(test.folder.path("store"), key: FilledStore.key)
    #expect(report.isSound, "\(report.damage)")
    #expect(report.sessions == 1)
  }
}
