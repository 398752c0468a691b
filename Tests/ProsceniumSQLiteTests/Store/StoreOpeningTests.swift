// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import Testing

@testable import ProsceniumSQLite

@Suite struct StoreOpeningTests {
  private static func code(_ folder: TemporaryFolder) -> StoreError.Code? {
    do {
      _ = try TestStore(folder)
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }

  @Test func `a second store of the same file is told who has it`() async throws {
    let store = try TestStore()
    let link = store.folder.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: store.folder.path("store"))
    for path in [store.folder.path("store"), link] {
      #expect {
        _ = try SQLiteSessionStore(
          path: path, key: .callback { try ApplicationKeys(primary: TestStore.key) })
      } throws: { error in
        let error = error as? StoreError
        return error?.code == .inUse
          && error?.message.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true
      }
    }
    try await store.store.close()
    let again = Self.code(store.folder)
    #expect(again == nil)
  }

  @Test func `the file is free again with the last reference`() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<3 { _ = try TestStore(folder) }
  }

  @Test func `a file that is no database is refused and stays as it is`() throws {
    let folder = try TemporaryFolder()
    let text = Array(repeating: UInt8(ascii: "a"), count: 20_000)
    let path = try folder.file("store", text)
    let code = Self.code(folder)
    #expect(code == .unusable)
    let after = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(Array(after) == text)
  }

  @Test func `a database of another application is refused`() throws {
    let folder = try TemporaryFolder()
    let queue = try ConnectionQueue(folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      try connection.execute("CREATE TABLE other(a); INSERT INTO other VALUES (1)")
    }
    queue.close()
    let code = Self.code(folder)
    #expect(code == .unusable)
  }

  @Test func `a folder and a path without a folder are refused`() throws {
    let folder = try TemporaryFolder()
    for path in [folder.path, folder.path("none/store"), ""] {
      #expect {
        _ = try SQLiteSessionStore(
          path: path, key: .callback { try ApplicationKeys(primary: TestStore.key) })
      } throws: { error in
        (error as? StoreError)?.code == .unusable
      }
    }
  }

  @Test func `a store of a newer version is refused and stays as it is`() async throws {
    let store = try TestStore()
    try await store.store.close()
    let path = store.folder.path("store")
    let queue = try ConnectionQueue(path, label: "test")
    try queue.wait { (connection) throws(StoreError) in
      try connection.execute("PRAGMA user_version = \(StoreSchema.version + 1)")
    }
    queue.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let code = Self.code(store.folder)
    #expect(code == .newerVersion)
    let after = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(before == after)
  }

  /// What the file can be like when the process was killed while it made the store.
  @Test(arguments: [[], ["PRAGMA page_size = 8192", "PRAGMA journal_mode = WAL"]])
  func `a store that was half made opens`(statements: [String]) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("store", [])
    if !statements.isEmpty {
      let queue = try ConnectionQueue(folder.path("store"), label: "test")
      try queue.wait { (connection) throws(StoreError) in
        for statement in statements { try connection.execute(statement) }
      }
      queue.close()
    }
    var store = try TestStore(folder)
    let rows = try await store.load()
    #expect(rows.isEmpty)
  }

  @Test func `a store of the first version is brought to this one`() async throws {
    var store = try TestStore()
    try await store.load()
    try await store.insert([.test(1)])
    try await store.store.close()
    let queue = try ConnectionQueue(store.folder.path("store"), label: "test")
    try queue.wait { (connection) throws(StoreError) in
      try connection.execute(
        """
        DROP VIEW session_list; DROP TABLE activation;
        ALTER TABLE session DROP COLUMN next_wake; PRAGMA user_version = 1
        """)
    }
    queue.close()
    store = try TestStore(store.folder)
    let rows = try await store.load()
    #expect(rows.count == 1)
    let reader = try SQLiteConnection.openForReading(store.folder.path("store"))
    defer { reader.close() }
    let list = try reader.prepare("SELECT session, prefers FROM session_list")
    defer { list.finalize() }
    let hasRow = try list.step()
    #expect(hasRow)
    #expect(list.text(0) == SessionIdentifier.test(1).description)
    #expect(list.text(1) == "FALSEPREDICATE")
  }

  @Test func `a store of the second version is brought to this one, and keeps wakes then`()
    async throws
  {
    var store = try TestStore()
    try await store.load()
    let (one, two) = (SessionIdentifier.test(1), SessionIdentifier.test(2))
    try await store.insert([one, two])
    try await store.store.close()
    let path = store.folder.path("store")
    let queue = try ConnectionQueue(path, label: "test")
    try queue.wait { (connection) throws(StoreError) in
      try connection.execute(
        """
        DROP VIEW session_list; DROP TABLE activation;
        ALTER TABLE session DROP COLUMN next_wake; PRAGMA user_version = 2;
        \(StoreSchema.steps[1])
        """)
    }
    queue.close()
    store = try TestStore(store.folder)
    var rows = try await store.load()
    #expect([one, two].map { rows[$0]?.nextWake } == [nil, nil])
    #expect(rows.count == 2)
    #expect(rows.values.allSatisfy { $0.damage == nil })
    let row = SessionRow(persistentIdentifier: two, nextWake: 1_800_000_000_123)
    try await store.commit([(two, .update(row))])
    try await store.store.close()
    store = try TestStore(store.folder)
    rows = try await store.load()
    #expect([one, two].map { rows[$0]?.nextWake } == [nil, 1_800_000_000_123])
    #expect(rows.values.allSatisfy { $0.damage == nil })
    let reader = try SQLiteConnection.openForReading(path)
    defer { reader.close() }
    let isUnchanged = try StoreSchema.isUnchanged(on: reader)
    #expect(isUnchanged)
    let list = try reader.prepare("SELECT next_wake FROM session_list ORDER BY next_wake")
    defer { list.finalize() }
    var texts: [String?] = []
    while try list.step() { texts.append(list.text(0)) }
    #expect(texts == [nil, "2027-01-15 08:00:00"])
  }

  @Test func `every commit is synced as a whole`() throws {
    let folder = try TemporaryFolder()
    let queue = try ConnectionQueue(folder.path("store"), label: "test")
    defer { queue.close() }
    let options = SQLiteSessionStore.Options()
    let keyring = ApplicationKeyring(
      .callback { try ApplicationKeys(primary: TestStore.key) }, path: "store")
    let values = try queue.wait { (connection) throws(StoreError) in
      _ = try StoreOpening(connection: connection, keyring: keyring, options: options).open()
      return [
        try connection.integer("PRAGMA synchronous"), try connection.integer("PRAGMA page_size"),
        try connection.integer("PRAGMA secure_delete"),
        try connection.integer("PRAGMA application_id"),
      ]
    }
    #expect(values == [2, Int64(StoreSchema.pageSize), 2, StoreSchema.applicationIdentifier])
  }

  @Test func `every opening has random bytes of its own, and those without records go`()
    async throws
  {
    var store = try TestStore()
    var salts: Set<[UInt8]> = []
    for round in 1...4 {
      salts.insert(store.store.parts.opening.salt)
      #expect(salts.count == round)
      try await store.load()
      if round == 2 {
        try await store.insert([.test(1)])
        try await store.save([1], of: .test(1))
      }
      store = try await store.reopened()
    }
    try await store.load()
    let reader = try SQLiteConnection.openForReading(store.folder.path("store"))
    defer { reader.close() }
    let counts = try [
      reader.integer("SELECT count(*) FROM opening"),
      reader.integer("SELECT count(*) FROM opening_copy"),
    ]
    #expect(counts == [2, 2])
    let state = try store.state(of: .test(1))
    #expect(state == [1])
  }
}
