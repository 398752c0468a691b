// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import Testing

@testable import ProsceniumSealing
import ProsceniumStoring
@testable import ProsceniumSQLite

@Suite struct StoreKeyTests {
  private static let other = [UInt8](repeating: 9, count: 32)

  @Test func `another key is refused`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.store.close()
    let folder = store.folder
    #expect {
      _ = try TestStore(folder, key: Self.other)
    } throws: { error in
      (error as? StoreError)?.code == .wrongKey
    }
    store = try TestStore(folder)
    let rows = try await store.load()
    #expect(rows.count == 1)
  }

  @Test func `the application key can be changed`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1), .test(2)])
    try await store.save([1], of: .test(1))
    store = try await store.reopened(key: Self.other, previous: TestStore.key)
    try await store.load()
    try await store.save([2], of: .test(2))
    // The old one is not needed any more.
    store = try await store.reopened(key: Self.other)
    try await store.load()
    let states = try [store.state(of: .test(1)), store.state(of: .test(2))]
    #expect(states == [[1], [2]])
    try await store.store.close()
    let folder = store.folder
    #expect {
      _ = try TestStore(folder)
    } throws: { error in
      (error as? StoreError)?.code == .wrongKey
    }
  }

  @Test func `a change of the key that was interrupted needs both keys, and goes on`()
    async throws
  {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.save([1], of: .test(1))
    try await store.insert([.test(2)])
    try await store.store.close()
    let copy = store.folder
    try beginRotation(copy)
    for key in [TestStore.key, Self.other] {
      #expect {
        _ = try TestStore(copy, key: key)
      } throws: { error in
        (error as? StoreError)?.code == .wrongKey
      }
    }
    store = try TestStore(copy, key: Self.other, previous: TestStore.key)
    store = try await store.reopened(key: Self.other)
    try await store.load()
    let state = try store.state(of: .test(1))
    #expect(state == [1])
  }

  /// Leaves a store as a process does that is killed between two steps of the change: what is
  /// expected is written, and the first session's key is wrapped again.
  private func beginRotation(_ folder: TemporaryFolder) throws {
    let rings = try [TestStore.key, Self.other].map { KeyRing(try ApplicationKeys(primary: $0)) }
    let queue = try ConnectionQueue(folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      var row = try StoreRow.read(on: connection) ?? StoreRow(createdAt: 0)
      row.nextKeyCheck = rings[1].primary.check
      try row.write(on: connection)
      let reading = try connection.prepare("SELECT key FROM session WHERE number = 1")
      defer { reading.finalize() }
      guard try reading.step() else {
        Issue.record("no session was found")
        return
      }
      let old = reading.bytes(0)
      let writing = try connection.prepare("UPDATE session SET key = ?1 WHERE number = 1")
      defer { writing.finalize() }
      writing.bind(
        try StoreError.sealing { () throws(SealingError) in
          try rings[1].primary.wrap(rings[0].unwrap(old).key)
        }, 1)
      reading.reset()
      try writing.run()
    }
    queue.close()
  }

  @Test func `without a key rows can be read and made, and states wait`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.save([1], of: .test(1))
    try await store.store.close()
    let folder = store.folder
    let isLocked = Guarded(true)
    let locked = try SQLiteSessionStore(
      path: folder.path("store"),
      key: .callback {
        if isLocked.withLock({ $0 }) { throw SealingError(.keyUnavailable, "locked") }
        return try ApplicationKeys(primary: TestStore.key)
      })
    let epoch = try await locked.load { rows in #expect(rows.first?.hasSavedState == true) }.epoch
    func change(_ session: SessionIdentifier, _ kind: StoreChange.Kind) async throws {
      let refusals = try await locked.commit([
        StoreChange(session: session, epoch: epoch, kind: kind)
      ])
      #expect(refusals.isEmpty)
    }
    try await change(.test(2), .insert(SessionRow(persistentIdentifier: .test(2))))
    #expect {
      _ = try locked.savedState(of: .test(1))
    } throws: { error in
      (error as? StoreError)?.code == .keyUnavailable
    }
    #expect {
      _ = try unsafe locked.seal([1].span.bytes, of: .test(2), epoch: epoch)
    } throws: { error in
      (error as? StoreError)?.code == .keyUnavailable
    }
    isLocked.withLock { $0 = false }
    let state = try locked.savedState(of: .test(1))
    #expect(state == [1])
    let two: [UInt8] = [2]
    let record = try unsafe locked.seal(two.span.bytes, of: .test(2), epoch: epoch)
    try await change(.test(2), .save(record))
    try await locked.close()
    store = try TestStore(folder)
    try await store.load()
    let later = try store.state(of: .test(2))
    #expect(later == [2])
  }

  @Test func `the key of a removed session is nowhere any more`() async throws {
    var store = try TestStore()
    try await store.load()
    let sessions = (0..<2_000).map { SessionIdentifier.test($0) }
    try await store.insert(sessions)
    for chunk in stride(from: 0, to: sessions.count, by: 250) {
      let records = try sessions[chunk..<chunk + 250].map {
        ($0, StoreChange.Kind.save(try store.seal(Array($0.description.utf8), of: $0)))
      }
      try await store.commit(records)
    }
    let reader = try SQLiteConnection.openForReading(store.folder.path("store"))
    let keys = try reader.prepare("SELECT \(StoredRow.columns) FROM session")
    var wrapped: [SessionIdentifier: [UInt8]] = [:]
    while try keys.step() {
      if let row = StoredRow(keys) { wrapped[row.identifier] = row.key }
    }
    keys.finalize()
    reader.close()
    #expect(wrapped.count == sessions.count)
    let removed = sessions.filter { $0.low % 3 == 0 }
    for chunk in stride(from: 0, to: removed.count, by: 50) {
      try await store.commit(removed[chunk..<min(chunk + 50, removed.count)].map { ($0, .remove) })
    }
    try await store.store.discardWhileNotRunning(.test(1_999))
    try await store.store.close()
    var gone = Set(removed)
    gone.insert(.test(1_999))
    let bytes = try store.folder.names.filter { $0.hasPrefix("store") }.map {
      Array(try Data(contentsOf: URL(fileURLWithPath: store.folder.path($0))))
    }
    let found = wrapped.filter { _, key in bytes.contains { $0.contains(key) } }
    #expect(Set(found.keys) == Set(sessions).subtracting(gone))
    let unwrapped = KeyRing(try ApplicationKeys(primary: TestStore.key))
    for (_, key) in wrapped.prefix(100) {
      let plain = try unsafe unwrapped.unwrap(key).key.key
        .withUnsafeBytes { unsafe Array($0) }
      #expect(!bytes.contains { $0.contains(plain) })
    }
  }

  @Test func `the log is cut off soon after a key was destroyed`() async throws {
    let (cuts, told) = AsyncStream.makeStream(of: Void.self)
    var options = SQLiteSessionStore.Options()
    options.didCutLog = { told.yield() }
    var store = try TestStore(TemporaryFolder(), options)
    try await store.load()
    try await store.insert([.test(1)])
    try await store.commit([(.test(1), .remove)])
    for await _ in cuts { break }
    let log = try Data(contentsOf: URL(fileURLWithPath: store.folder.path("store-wal")))
    #expect(log.isEmpty)
  }
}

extension TemporaryFolder {
  /// Copies the files of a store, as a process that is killed leaves them.
  func copyStore(to other: TemporaryFolder) throws {
    for name in ["store", "store-wal"] where names.contains(name) {
      try? FileManager.default.removeItem(atPath: other.path(name))
      try FileManager.default.copyItem(atPath: path(name), toPath: other.path(name))
    }
  }
}

extension [UInt8] {
  /// Whether other bytes are somewhere in these.
  func contains(_ part: [UInt8]) -> Bool {
    Data(self).range(of: Data(part)) != nil
  }
}
