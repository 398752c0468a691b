// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import Testing

@testable import ProsceniumSQLite

@Suite struct StoreSizeTests {
  /// Which session is saved next.
  enum Choice: CaseIterable {
    case uniform
    /// Few sessions get most.
    case skewed

    func draw(below count: Int, _ generator: inout SplitMix64) -> Int {
      let drawn = Double.random(in: 0..<1, using: &generator)
      switch self {
      case .uniform: return Int(drawn * Double(count))
      case .skewed: return min(Int(exp(drawn * log(Double(count)))), count - 1)
      }
    }
  }

  private static func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  @Test(arguments: Choice.allCases, [1, 300])
  func `the file stays small while states are saved again and again`(
    choice: Choice, group: Int
  ) async throws {
    var store = try TestStore()
    try await store.load()
    let path = store.folder.path("store")
    // So many that of a segment's records some are still the newest when it is compacted.
    let sessions = (0..<(group == 1 ? 600 : 3_000)).map { SessionIdentifier.test($0) }
    try await store.insert(sessions)
    var generator = SplitMix64(seed: UInt64(group))
    var newest: [SessionIdentifier: [UInt8]] = [:]
    let rounds = group == 1 ? 1_500 : 60
    let size = group == 1 ? 30_000 : 2_000
    for _ in 0..<rounds {
      var changes: [(SessionIdentifier, StoreChange.Kind)] = []
      for _ in 0..<group {
        let session = sessions[choice.draw(below: sessions.count, &generator)]
        let state = [UInt8].drawn(16, &generator) + [UInt8](repeating: 1, count: size)
        newest[session] = state
        changes.append((session, .save(try store.seal(state, of: session))))
      }
      try await store.commit(changes)
      let statistics = store.store.statistics
      #expect(Self.size(path) <= statistics.liveBytes * 5 / 2 + 16 << 20)
      #expect(Self.size(path + "-wal") <= 64 << 20)
    }
    // Segments of one record die as a whole.
    if group > 1 { #expect(store.store.statistics.movedRecords > 0) }
    #expect(store.store.statistics.removedSegments > 0)
    for round in 0..<2 {
      for session in sessions {
        let state = try store.state(of: session)
        #expect(state == newest[session])
      }
      if round == 0 {
        store = try await store.reopened()
        try await store.load()
      }
    }
  }

  @Test func `many small segments are joined`() async throws {
    var store = try TestStore()
    try await store.load()
    let sessions = (0..<1_500).map { SessionIdentifier.test($0) }
    try await store.insert(sessions)
    for session in sessions { try await store.save([7], of: session) }
    #expect(store.store.statistics.segments <= Compaction.smallSegments + 1)
    store = try await store.reopened()
    let rows = try await store.load()
    let areSaved = rows.values.allSatisfy { $0.hasSavedState }
    #expect(areSaved)
    for session in sessions {
      let state = try store.state(of: session)
      #expect(state == [7])
    }
  }

  @Test func `a session in memory takes as many bytes as it should`() {
    #expect(MemoryLayout<SessionIndex.Entry>.size == 32)
    #expect(MemoryLayout<SegmentTable.Segment>.size == 24)
  }

  @Test func `a full disk refuses a commit as a whole, and the next one goes on with room`()
    async throws
  {
    var options = SQLiteSessionStore.Options()
    options.pageLimit = 64
    var store = try TestStore(TemporaryFolder(), options)
    try await store.load()
    try await store.insert([.test(1), .test(2)])
    try await store.save([1], of: .test(1))
    let large = [UInt8](repeating: 3, count: 2 << 20)
    let record = try store.seal(large, of: .test(1))
    let change: [(SessionIdentifier, StoreChange.Kind)] = [
      (.test(2), .remove), (.test(3), .insert(SessionRow(persistentIdentifier: .test(3)))),
      (.test(1), .save(record)),
    ]
    for _ in 0..<3 {
      await #expect {
        try await store.commit(change)
      } throws: { error in
        (error as? StoreError)?.code == .full
      }
      let state = try store.state(of: .test(1))
      #expect(state == [1])
    }
    try await store.save([2], of: .test(2))
    try await store.store.write { (writer) throws(StoreError) in
      try writer.connection.execute("PRAGMA max_page_count = 10000")
    }
    try await store.commit(change)
    store = try await store.reopened()
    let rows = try await store.load()
    #expect(Set(rows.keys) == [.test(1), .test(3)])
    let state = try store.state(of: .test(1))
    #expect(state == large)
  }
}
