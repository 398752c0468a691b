// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import Testing

@testable import ProsceniumSQLite

@Suite struct StoreSalvageTests {
  /// A closed store with 40 sessions of two saved states each, in segments of ten.
  private static func made() async throws -> TemporaryFolder {
    var store = try TestStore()
    try await store.load()
    let sessions = (0..<40).map { SessionIdentifier.test($0) }
    try await store.insert(sessions)
    for state in [UInt8(1), 2] {
      for chunk in stride(from: 0, to: 40, by: 10) {
        try await store.commit(
          sessions[chunk..<chunk + 10].map {
            ($0, .save(try store.seal([state] + [UInt8](repeating: 9, count: 500), of: $0)))
          })
      }
    }
    try await store.store.close()
    return store.folder
  }

  private static func execute(_ statements: String, in folder: TemporaryFolder) throws {
    let queue = try ConnectionQueue(folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      try connection.execute(statements)
      _ = try connection.checkpoint(.truncating)
    }
    queue.close()
  }

  /// What a damaged store says of each session.
  private static func look(
    _ folder: TemporaryFolder
  ) async throws -> (
    reported: Set<SessionIdentifier>, states: [SessionIdentifier: UInt8], StoreLoad
  ) {
    var store = try TestStore(folder)
    let (load, rows) = try await store.loadAll()
    var reported = Set(load.damage.compactMap(\.session))
    var states: [SessionIdentifier: UInt8] = [:]
    for (session, row) in rows {
      if row.damage != nil { reported.insert(session) }
      do {
        states[session] = try store.state(of: session)?.first
      } catch {
        #expect((error as? StoreError)?.session == session)
        reported.insert(session)
      }
    }
    try await store.store.close()
    return (reported, states, load)
  }

  @Test func `a changed row is reported, and its session is there`() async throws {
    let folder = try await Self.made()
    try Self.execute("UPDATE session SET title = 'x' WHERE sid % 16777216 = 3", in: folder)
    let (reported, states, load) = try await Self.look(folder)
    #expect(reported == [.test(3)])
    #expect(states.count == 40 && states.values.allSatisfy { $0 == 2 })
    #expect(load.damage.isEmpty)
  }

  @Test func `a row that lost its identifier is named by its key`() async throws {
    let folder = try await Self.made()
    try Self.execute("UPDATE session SET id = x'00' WHERE sid % 16777216 = 3", in: folder)
    let (reported, states, _) = try await Self.look(folder)
    #expect(reported == [.test(3)])
    #expect(states.count == 40)
  }

  @Test func `a row that vanished is reported, and its session is there`() async throws {
    let folder = try await Self.made()
    try Self.execute("DELETE FROM session WHERE sid % 16777216 = 3", in: folder)
    let (reported, states, _) = try await Self.look(folder)
    #expect(reported == [.test(3)])
    #expect(states.count == 40)
  }

  @Test func `sessions that vanished without a trace are counted`() async throws {
    let folder = try await Self.made()
    try Self.execute(
      """
      DELETE FROM session WHERE sid % 16777216 = 3;
      DELETE FROM session_key WHERE sid % 16777216 = 3
      """, in: folder)
    let (_, states, load) = try await Self.look(folder)
    #expect(states.count == 39)
    #expect(load.damage.count == 1)
    #expect(load.damage.first?.message.contains("1 sessions vanished") == true)
  }

  @Test(arguments: [
    "UPDATE session_key SET wrapped = zeroblob(40) WHERE sid % 16777216 = 3",
    "UPDATE session_key SET sid = 77 WHERE sid % 16777216 = 3",
    "DELETE FROM session_key WHERE sid % 16777216 = 3",
  ])
  func `a damaged key concerns its session alone, until another state is saved`(
    statement: String
  ) async throws {
    let folder = try await Self.made()
    try Self.execute(statement, in: folder)
    let (reported, states, _) = try await Self.look(folder)
    #expect(reported == [.test(3)])
    #expect(states.count == 39)
    var store = try TestStore(folder)
    try await store.load()
    try await store.save([8], of: .test(3))
    store = try await store.reopened()
    try await store.load()
    let state = try store.state(of: .test(3))
    #expect(state == [8])
  }

  @Test(arguments: [
    "UPDATE segment_toc SET toc = zeroblob(length(toc)) WHERE seg IN (2, 7)",
    "UPDATE segment_toc SET toc = x'' WHERE seg = 8",
    "UPDATE segment_toc SET total = 1 WHERE seg % 2 = 0",
    "DELETE FROM segment_toc WHERE seg IN (2, 8)",
    "DELETE FROM segment_toc",
  ])
  func `tables of contents are made again`(statement: String) async throws {
    let folder = try await Self.made()
    try Self.execute(statement, in: folder)
    for round in 0..<2 {
      let (reported, states, load) = try await Self.look(folder)
      #expect(reported.isEmpty)
      #expect(states.count == 40 && states.values.allSatisfy { $0 == 2 })
      #expect(load.damage.isEmpty == (round == 1))
    }
  }

  @Test func `where a table of contents and a record are damaged no older state is given`()
    async throws
  {
    let folder = try await Self.made()
    // The last byte of the newest segment belongs to the seal of its last record.
    try Self.execute(
      """
      UPDATE segment_toc SET total = 1 WHERE seg = 8;
      UPDATE segment SET body = CAST(
          substr(body, 1, length(body) - 1)
            || CASE substr(body, -1) WHEN x'00' THEN x'01' ELSE x'00' END AS BLOB)
        WHERE seg = 8
      """, in: folder)
    for _ in 0..<2 {
      let (reported, states, _) = try await Self.look(folder)
      #expect(reported == [.test(39)])
      #expect(states.count == 39 && states.values.allSatisfy { $0 == 2 })
    }
  }

  @Test func `a segment that vanished is missed`() async throws {
    let folder = try await Self.made()
    try Self.execute("DELETE FROM segment WHERE seg = 6", in: folder)
    let (reported, states, _) = try await Self.look(folder)
    #expect(reported == Set((10..<20).map { SessionIdentifier.test($0) }))
    #expect(states.count == 30 && states.values.allSatisfy { $0 == 2 })
    try Self.execute("DELETE FROM segment_toc WHERE seg = 6", in: folder)
    let (_, _, load) = try await Self.look(folder)
    #expect(load.damage.contains { $0.message.contains("expected 8 segments") })
  }

  @Test func `without the row of the store everything is found`() async throws {
    let folder = try await Self.made()
    var store = try TestStore(folder)
    try await store.load()
    let epoch = store.epoch
    try await store.save([3], of: .test(0))
    try await store.store.close()
    try Self.execute("UPDATE store SET epoch = 0", in: folder)
    store = try TestStore(folder)
    let (load, rows) = try await store.loadAll()
    #expect(load.epoch > epoch)
    #expect(load.damage.count == 1)
    #expect(rows.count == 40)
    try await store.insert([.test(77)])
    try await store.save([4], of: .test(77))
    try await store.store.close()
    let (reported, states, _) = try await Self.look(folder)
    #expect(reported.isEmpty)
    #expect(states[.test(77)] == 4 && states[.test(0)] == 3 && states[.test(1)] == 2)
  }

  @Test func `flipped bits are reported with the sessions that they concern`() async throws {
    let folder = try await Self.made()
    let sound = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("store"))))
    for seed in 0..<60 {
      var generator = SplitMix64(seed: UInt64(seed))
      let copy = try TemporaryFolder()
      var bytes = sound
      let flips = (0...seed % 4).map { _ in
        (
          Int.random(in: 0..<bytes.count, using: &generator),
          UInt8.random(in: 0..<8, using: &generator)
        )
      }
      for (place, bit) in flips { bytes[place] ^= 1 << bit }
      _ = try copy.file("store", bytes)
      do {
        let (reported, states, load) = try await Self.look(copy)
        let old = states.filter { $0.value != 2 }.keys.filter { !reported.contains($0) }
        #expect(old.isEmpty, "seed \(seed), flips \(flips)")
        let missing = 40 - Set(states.keys).union(reported).count
        #expect(missing == 0 || !load.damage.isEmpty, "seed \(seed), flips \(flips)")
      } catch let error as StoreError {
        #expect(error.code == .unusable || error.code == .damaged, "seed \(seed): \(error)")
      }
    }
  }
}
