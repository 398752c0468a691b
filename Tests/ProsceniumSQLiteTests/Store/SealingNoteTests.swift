// SPDX-License-Identifier: Apache-2.0

import Proscenium
@testable import ProsceniumSQLite
import Testing

/// What the store leaves with a scene, and where it commits.
@Suite struct SealingNoteTests {
  @Test func `states that are sealed with a note and without one are of one session`() async throws
  {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1), .test(2)])
    var note: SealingNote?
    for round in UInt8(1)...3 {
      try await store.commit([
        (.test(1), .save(try seal([round], store, &note))),
        (.test(2), .save(try store.seal([round], of: .test(2)))),
      ])
    }
    let isOwn = note is SessionSeal
    #expect(isOwn)
    try await store.save([4], of: .test(2))
    let states = try [store.state(of: .test(1)), store.state(of: .test(2))]
    #expect(states == [[3], [4]])
  }

  @Test func `a note is the same as long as it is good`() async throws {
    var store = try TestStore()
    try await store.load()
    var note: SealingNote?
    _ = try seal([1], store, &note)
    let first = try #require(note)
    _ = try seal([2], store, &note)
    let isKept = note === first
    #expect(isKept)
  }

  @Test func `who reads a state finds the note by which its session is sealed for`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    var sealed: SealingNote?
    try await store.commit([(.test(1), .save(try seal([1], store, &sealed)))])
    var read: SealingNote?
    let state = try store.store.savedState(of: .test(1), note: &read)
    #expect(state == [1])
    let isSame = read != nil && read === sealed
    #expect(isSame)
    try await store.commit([(.test(1), .save(try seal([2], store, &read)))])
    let next = try store.state(of: .test(1))
    #expect(next == [2])
    // Of a session that was removed there is neither state nor note.
    try await store.commit([(.test(1), .remove)])
    var none: SealingNote?
    let gone = try store.store.savedState(of: .test(1), note: &none)
    #expect(gone == nil)
    let isLeft = none != nil
    #expect(!isLeft)
  }

  @Test func `a note of an earlier opening is not used`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    var note: SealingNote?
    try await store.commit([(.test(1), .save(try seal([1], store, &note)))])
    let old = note
    store = try await store.reopened()
    try await store.load()
    try await store.commit([(.test(1), .save(try seal([2], store, &note)))])
    let isReplaced = note !== old
    #expect(isReplaced)
    store = try await store.reopened()
    try await store.load()
    let state = try store.state(of: .test(1))
    #expect(state == [2])
  }

  @Test func `a foreign note is replaced`() async throws {
    final class Foreign: Sendable {}
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    var note: SealingNote? = Foreign()
    try await store.commit([(.test(1), .save(try seal([1], store, &note)))])
    let isOwn = note is SessionSeal
    #expect(isOwn)
    let state = try store.state(of: .test(1))
    #expect(state == [1])
  }

  @Test func `a task on the store's thread commits, and others commit meanwhile`() async throws {
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

  private func seal(
    _ state: [UInt8], _ store: TestStore, _ note: inout SealingNote?
  ) throws -> [UInt8] {
    try unsafe store.store.seal(
      state.span.bytes, of: .test(1), epoch: store.epoch, note: &note)
  }
}
