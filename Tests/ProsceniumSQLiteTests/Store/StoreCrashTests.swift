// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import Testing

@testable import ProsceniumSQLite

/// A log that ends where a kill has cut it: the store is as after one of its commits.
@Suite struct StoreCrashTests {
  private static let sessions = (0..<6).map { SessionIdentifier.test($0) }

  @Test func `wherever the log ends, the store is as after the last commit before it`()
    async throws
  {
    let folder = try TemporaryFolder()
    var store = try TestStore(folder)
    try await store.load()
    try await store.insert(Self.sessions)
    let first = folder.logSize
    var ends: [Int] = []
    for round in UInt8(1)...5 {
      // What is in the open, and the state: one commit.
      try await store.commit(
        Self.sessions.flatMap { session in
          var row = SessionRow(persistentIdentifier: session)
          row.title = "\(round)"
          return [
            (session, .update(row)),
            (
              session,
              .save(try store.seal([round] + Bytes(repeating: 7, count: 2_000), of: session))
            ),
          ] as [(SessionIdentifier, StoreChange.Kind)]
        })
      ends.append(folder.logSize)
    }
    let last = folder.logSize
    let frame = 24 + SQLiteConnection.pageSize
    var cuts = Array(stride(from: 0, to: last, by: 5 * frame + 200))
    for end in [first] + ends { cuts += [end - frame, end - 1, end] }
    for cut in cuts {
      let copy = try TemporaryFolder()
      try folder.copyStore(to: copy)
      unsafe truncate(copy.path("store-wal"), off_t(cut))
      let round = cut < first ? nil : ends.count { $0 <= cut }
      try await check(copy, round, "a log of \(cut) bytes")
    }
  }

  private func check(_ copy: TemporaryFolder, _ round: Int?, _ place: String) async throws {
    var store = try TestStore(copy)
    let (load, rows) = try await store.loadAll()
    #expect(load.damage.isEmpty, "\(place)")
    #expect(rows.count == (round == nil ? 0 : Self.sessions.count), "\(place)")
    for (session, row) in rows {
      #expect(row.damage == nil)
      #expect(row.title == round.flatMap { $0 == 0 ? nil : "\($0)" }, "\(place)")
      let state = try store.state(of: session)
      #expect(state?.first.map { Int($0) } ?? 0 == round, "\(place)")
    }
    // It goes on.
    try await store.insert([.test(999)])
    try await store.save([5], of: .test(999))
    #expect(try store.state(of: .test(999)) == [5])
  }
}

extension TemporaryFolder {
  /// The size of a store's log in bytes.
  var logSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path("store-wal"))
    return attributes?[.size] as? Int ?? 0
  }
}
