// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumSQLite

/// States that are read from the mapped file, without SQLite.
@Suite struct MappedSegmentsTests {
  @Test
  func `what a checkpoint has brought into the file is read without SQLite, and nothing else`()
    async throws
  {
    var store = try TestStore()
    try await store.load()
    let sessions = (0..<300).map { SessionIdentifier.test($0) }
    try await store.insert(sessions)
    for session in sessions.prefix(200) {
      try await store.save(Self.state(1, session), of: session)
    }
    try await store.checkpoint()
    for session in sessions.dropFirst(150) {
      try await store.save(Self.state(2, session), of: session)
    }
    store.forgetRecent()
    store.store.parts.readers.close()
    // Twice: the second time it is known where the segments are.
    for session in sessions.prefix(150) + sessions.prefix(150) {
      #expect(try store.state(of: session) == Self.state(1, session))
    }
    for session in sessions.dropFirst(150) {
      #expect(throws: StoreError.self) { try store.state(of: session) }
    }
    try await store.checkpoint()
    for session in sessions.dropFirst(150) {
      #expect(try store.state(of: session) == Self.state(2, session))
    }
  }

  /// Compaction removes segments, and what comes later takes their pages and their handles.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `wherever states are moved, each is read as it was saved last`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var store = try TestStore()
    try await store.load()
    let sessions = (0..<120).map { SessionIdentifier.test($0) }
    var saved: [SessionIdentifier: Bytes] = [:]
    try await store.insert(sessions)
    for round in 0..<120 {
      var changes: [(SessionIdentifier, StoreChange.Kind)] = []
      for session in sessions where UInt8.random(in: 0..<4, using: &random) == 0 {
        // Few are saved often, so that segments with little in them stay.
        if session == sessions[0] || Int.random(in: 0..<120, using: &random) < round { continue }
        let size = Int.random(in: 1...20_000, using: &random)
        let state = Bytes("\(session) \(round)".utf8) + Bytes(repeating: UInt8(round), count: size)
        changes.append((session, .save(try store.seal(state, of: session))))
        saved[session] = state
      }
      try await store.commit(changes)
      if Bool.random(using: &random) { store.forgetRecent() }
      if UInt8.random(in: 0..<6, using: &random) == 0 { try await store.checkpoint() }
      for session in sessions where Bool.random(using: &random) {
        #expect(try store.state(of: session) == saved[session])
      }
    }
    #expect(store.store.statistics.removedSegments > 0)
    try await store.checkpoint()
    store.forgetRecent()
    for session in sessions { #expect(try store.state(of: session) == saved[session]) }
    store.store.parts.readers.close()
    for session in sessions { #expect(try store.state(of: session) == saved[session]) }
  }

  @Test func `a record that was damaged in the file is refused as such`() async throws {
    var store = try TestStore()
    try await store.load()
    let session = SessionIdentifier.test(1)
    try await store.insert([session])
    let record = try store.seal([1, 2, 3], of: session)
    try await store.commit([(session, .save(record))])
    try await store.checkpoint()
    store.forgetRecent()
    #expect(try store.state(of: session) == [1, 2, 3])
    let path = store.folder.path("store")
    let found = try #require(
      try Data(contentsOf: URL(fileURLWithPath: path)).firstRange(of: Data(record)))
    #expect(store.store.parts.mapped?.contains(1) == true)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: UInt64(found.upperBound - 1))
    try file.write(contentsOf: Data([record[record.count - 1] ^ 1]))
    #expect { try store.state(of: session) } throws: { ($0 as? StoreError)?.code == .damaged }
    try await store.save([4], of: session)
    #expect(try store.state(of: session) == [4])
    try await store.store.close()
    try file.close()
  }

  @Test func `a store that was closed reads nothing from the file`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.save([1], of: .test(1))
    try await store.checkpoint()
    store.forgetRecent()
    #expect(try store.state(of: .test(1)) == [1])
    try await store.store.close()
    #expect(throws: StoreError.self) { try store.state(of: .test(1)) }
    // Closed twice, it says so.
    await #expect(throws: StoreError.self) { try await store.store.close() }
    let again = try TestStore(store.folder)
    #expect(try await again.store.load { _ in }.epoch > store.epoch)
  }

  private static func state(_ number: UInt8, _ session: SessionIdentifier) -> Bytes {
    Bytes("\(session)".utf8) + Bytes(repeating: number, count: 700)
  }
}

extension TestStore {
  /// Brings everything that was committed into the file.
  fileprivate func checkpoint() async throws {
    try await store.write { writer in writer.finishCheckpoint(truncates: false) }
  }

  /// Lets go of the segments that are kept in memory.
  fileprivate func forgetRecent() {
    store.parts.recent.withLock { $0 = RecentSegments() }
  }
}
