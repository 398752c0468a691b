// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumSQLite

@Suite struct FullDiskTests {
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
