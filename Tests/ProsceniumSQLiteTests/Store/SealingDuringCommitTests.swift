// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import Testing

@testable import ProsceniumSQLite

/// States that are sealed on a shard while the writer's thread is in the middle of a commit.
@Suite struct SealingDuringCommitTests {
  @Test(arguments: [CrashPoint.insideCommit, .afterCommit])
  func `what is sealed while its session is inserted is kept`(point: CrashPoint) async throws {
    let work = Guarded<(@Sendable () -> Void)?>(nil)
    var options = SQLiteSessionStore.Options()
    options.reached = { reached in
      guard reached == point else { return }
      work.withLock { $0.take() }?()
    }
    var store = try TestStore(TemporaryFolder(), options)
    try await store.load()
    let sealed = Guarded<[[UInt8]]>([])
    work.withLock { [store] work in
      work = {
        if let record = try? store.seal([1, 2, 3], of: .test(1)) {
          sealed.withLock { $0.append(record) }
        }
      }
    }
    try await store.insert([.test(1)])
    try await store.commit(sealed.withLock { $0 }.map { (.test(1), .save($0)) })
    let saved = try store.state(of: .test(1))
    #expect(saved == [1, 2, 3])
    try await store.save([4], of: .test(1))
    store = try await store.reopened()
    try await store.load()
    let latest = try store.state(of: .test(1))
    #expect(latest == [4])
  }
}
