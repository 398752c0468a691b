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
    // Much of a small file is empty: most bits are flipped where something stands.
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
    #expect(counts.unwritable <= 2)
  }

  @Test func `a segment with the number that the next one would get does not end all saving`()
    async throws
  {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    for number in 1...7 as ClosedRange<UInt8> { try await store.save([number], of: .test(1)) }
    let root = try await store.store.write { (writer) throws(StoreError) in
      Int(try StoreSchema.firstPage(of: "segment", on: writer.connection))
    }
    try await store.store.close()
    let path = store.folder.path("store")
    var file = Bytes(try #require(FileManager.default.contents(atPath: path)))
    // The row in the middle, which SQLite looks at first; its number is behind its size.
    let page = (root - 1) * StoreSchema.pageSize
    let pointer = page + 8 + 2 * 3
    let number = page + Int(file[pointer]) << 8 + Int(file[pointer + 1]) + 1
    #expect(file[number] == 4)
    file[number] = 8
    _ = try store.folder.file("store", file)
    store = try TestStore(store.folder)
    try await store.load()
    try await store.save([9], of: .test(1))
    #expect(try store.state(of: .test(1)) == [9])
  }

  @Test(arguments: ["session", "session_key", "segment_toc", "segment", "opening"])
  func `a bit that SQLite does not need is found by the verification alone`(
    table: String
  ) async throws {
    let filled = try await FilledStore(sessions: 24, rounds: 2)
    var file = Bytes(try #require(FileManager.default.contents(atPath: filled.path)))
    let page = try root(of: table, filled.path) * StoreSchema.pageSize
    // The highest bit of where the page's first cell stands, which comes after the page's header.
    file[page + (file[page] == 0x0D ? 8 : 12)] ^= 0x80
    let folder = try TemporaryFolder()
    _ = try folder.file("store", file)
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    #expect(!verdict.isSound)
    #expect(verdict.damage.allSatisfy { $0.session == nil }, "\(verdict.damage)")
    let review = await DamageReview(of: folder, expecting: filled)
    #expect(review.complaints.isEmpty, "\(review.complaints)")
    #expect(!review.isReported, "\(review)")
  }

  @Test func `a damaged row in another's place takes nothing from that other`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 2)
    let folder = try filled.copied()
    // The number of one row becomes one of the next row's slot, as a flipped bit can make it.
    edit(
      folder.path("store"),
      "UPDATE session SET sid = sid + 1 WHERE sid = (SELECT min(sid) FROM session)")
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    let review = await DamageReview(of: folder, expecting: filled)
    #expect(review.complaints.isEmpty, "\(review.complaints)")
    #expect(review.reported.count == 1)
    #expect(review.reported.isSubset(of: verdict.damage.compactMap(\.session)))
  }

  @Test func `a table of contents under another number takes no state away`() async throws {
    let filled = try await FilledStore(sessions: 24, rounds: 2)
    let folder = try filled.copied()
    // Its segment is still there, and says itself what is in it.
    edit(
      folder.path("store"),
      "UPDATE segment_toc SET seg = seg + 16 WHERE seg = (SELECT max(seg) FROM segment_toc)")
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    #expect(!verdict.isSound)
    let review = await DamageReview(of: folder, expecting: filled)
    #expect(review.complaints.isEmpty, "\(review.complaints)")
    #expect(review.reported.isEmpty)
  }

  @Test func `keys that a scan reads and a look-up does not find are named by the verification`()
    async throws
  {
    let filled = try await FilledStore(sessions: 36, rounds: 2)
    var file = Bytes(try #require(FileManager.default.contents(atPath: filled.path)))
    let page = try root(of: "session_key", filled.path) * StoreSchema.pageSize
    try #require(file[page] == 0x0D)
    // Where the cell in the middle stands, through which most look-ups go.
    let count = Int(file[page + 3]) << 8 | Int(file[page + 4])
    file[page + 8 + (count - 1) / 2 * 2] = 0
    let folder = try TemporaryFolder()
    _ = try folder.file("store", file)
    let verdict = try StoreVerification.run(folder.path("store"), key: FilledStore.key)
    let review = await DamageReview(of: folder, expecting: filled)
    #expect(review.complaints.isEmpty, "\(review.complaints)")
    #expect(review.reported.count > 1)
    #expect(review.reported.isSubset(of: verdict.damage.compactMap(\.session)))
  }

  /// Changes a database behind the store's back.
  private func edit(_ path: String, _ statement: String) {
    var connection: OpaquePointer?
    #expect(unsafe sqlite3_open(path, &connection) == SQLITE_OK)
    #expect(unsafe sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK)
    #expect(unsafe sqlite3_close(connection) == SQLITE_OK)
  }

  /// The index of the first page of a table.
  private func root(of table: String, _ path: String) throws -> Int {
    let connection = try SQLiteConnection.openForReading(path)
    defer { connection.close() }
    let page = try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
    return Int(page) - 1
  }

  @Test func `a file that was cut off is refused as a whole`() async throws {
    let filled = try await FilledStore(sessions: 12, rounds: 2)
    let file = try #require(FileManager.default.contents(atPath: filled.path))
    for end in stride(from: StoreSchema.pageSize, to: file.count, by: StoreSchema.pageSize) {
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
    let filled = try await FilledStore(sessions: 12, rounds: 2, seed: seed, isClosed: false)
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
      let end = flip % 2 == 0 ? log.count - 24 - StoreSchema.pageSize : log.count
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
    let frame = 24 + StoreSchema.pageSize
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
    let verdict = try? StoreVerification.run(check.path("store"), key: FilledStore.key)
    #expect(verdict?.isSound != true, "\(place): verified as sound")
    let review = await DamageReview(of: folder, expecting: filled)
    if review.refusal == nil {
      #expect(review.storeDamage.contains { $0.message.contains("-wal") }, "\(place): \(review)")
    }
    // It is told once: what was lost is lost.
    guard review.refusal == nil else { return }
    let again = await DamageReview(of: folder, expecting: filled)
    #expect(!again.storeDamage.contains { $0.message.contains("-wal") }, "\(place): \(again)")
  }
}
