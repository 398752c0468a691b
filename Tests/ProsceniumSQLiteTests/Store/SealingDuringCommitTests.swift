// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import Testing

@testable import ProsceniumSealing
@testable import ProsceniumSQLite

/// What comes while the writer's thread is in the middle of a commit.
@Suite struct SealingDuringCommitTests {
  /// The store asks for the time before a transaction, in it, and behind it.
  @Test(arguments: 1...3)
  func `what is sealed while its session is inserted is kept`(moment: Int) async throws {
    let work = Guarded<(left: Int, work: (@Sendable () -> Void)?)>((0, nil))
    var options = SQLiteSessionStore.Options()
    options.now = {
      let isNow = work.withLock { work in
        work.left -= 1
        return work.left == 0
      }
      if isNow { work.withLock { $0.work }?() }
      return 1_000
    }
    var store = try TestStore(TemporaryFolder(), options)
    try await store.load()
    let sealed = Guarded<[[UInt8]]>([])
    work.withLock { [store] work in
      work.left = moment
      work.work = {
        if let record = try? store.seal([1, 2, 3], of: .test(1)) {
          sealed.withLock { $0.append(record) }
        }
      }
    }
    try await store.insert([.test(1)])
    work.withLock { $0.work = nil }
    try await store.commit(sealed.withLock { $0 }.map { (.test(1), .save($0)) })
    let saved = try store.state(of: .test(1))
    #expect(saved == [1, 2, 3])
    try await store.save([4], of: .test(1))
    store = try await store.reopened()
    try await store.load()
    let latest = try store.state(of: .test(1))
    #expect(latest == [4])
  }

  @Test func `a key that was written since it was looked for is the session's only one`() throws {
    let keys = SessionKeys(capacity: 1_000)
    let ring = KeyRing(try ApplicationKeys(primary: TestStore.key))
    let seal = try keys.make(for: .test(1), ring)
    #expect(try keys.make(for: .test(1), ring) === seal)
    keys.settle(.test(1), SessionKeys.Entry(seal: seal), wasPending: true)
    #expect(keys.pending(.test(1)) == nil)
    #expect(try keys.make(for: .test(1), ring) === seal)
    #expect(keys.pending(.test(1)) == nil)
    keys.forget(.test(1))
    #expect(try keys.make(for: .test(1), ring) !== seal)
  }

  @Test func `a task on the store's thread commits, and others commit with it`() async throws {
    var test = try TestStore()
    try await test.load()
    let store = test
    let executor = try #require(store.store.executor)
    try await withThrowingTaskGroup { group in
      for number in 1...8 {
        group.addTask(executorPreference: number % 2 == 0 ? executor : nil) {
          for round in UInt8(0)..<20 {
            if round == 0 { try await store.insert([.test(number)]) }
            try await store.save([round], of: .test(number))
          }
        }
      }
      try await group.waitForAll()
    }
    for number in 1...8 {
      let state = try store.state(of: .test(number))
      #expect(state == [19])
    }
    try await store.store.close()
    await #expect(throws: StoreError.self) { try await store.insert([.test(9)]) }
  }
}
