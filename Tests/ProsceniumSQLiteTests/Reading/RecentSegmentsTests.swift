// SPDX-License-Identifier: Apache-2.0

import Proscenium
@testable import ProsceniumSQLite
import Testing

@Suite struct RecentSegmentsTests {
  @Test func `the last segments are there, and no more bytes than the limit`() {
    var recent = RecentSegments()
    let size = RecentSegments.limit / 50
    for number in 10..<1_010 as Range<Int64> {
      recent.add(Bytes(repeating: UInt8(truncatingIfNeeded: number), count: size), number)
      #expect(recent.size <= RecentSegments.limit)
      #expect(recent[number]?.first == UInt8(truncatingIfNeeded: number))
      #expect(recent[number]?.count == size)
      let past = max(number - 40, 10)
      #expect(recent[past]?.first == UInt8(truncatingIfNeeded: past))
    }
    for number in [9, 10, 900, 1_010, .min, .max] as [Int64] { #expect(recent[number] == nil) }
  }

  @Test
  func `one that is larger than the limit is not kept, and neither is what came before a gap`() {
    var recent = RecentSegments()
    recent.add([1], 1)
    recent.add(Bytes(repeating: 2, count: RecentSegments.limit + 1), 2)
    #expect(recent[1] == nil && recent[2] == nil)
    recent.add([3], 3)
    #expect(recent[3] == [3])
    recent.add([7], 7)
    #expect(recent[7] == [7])
    #expect((1...6).allSatisfy { recent[$0] == nil })
  }

  /// What is in the file is of no use to this store, so that it is seen where the state comes from.
  @Test func `a state that was just saved is not read from the file`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.save([1, 2, 3], of: .test(1))
    let queue = try ConnectionQueue(store.folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      try connection.execute("UPDATE segment SET body = zeroblob(length(body))")
    }
    queue.close()
    let state = try store.state(of: .test(1))
    #expect(state == [1, 2, 3])
    store = try await store.reopened()
    try await store.load()
    #expect(throws: StoreError.self) { try store.state(of: .test(1)) }
  }
}
