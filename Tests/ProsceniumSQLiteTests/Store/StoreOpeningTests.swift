// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import Testing

@testable import ProsceniumSealing
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
  @Test(arguments: [[], ["PRAGMA page_size = 1024", "PRAGMA journal_mode = WAL"]])
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
    #expect(values == [2, Int64(SQLiteConnection.pageSize), 2, StoreSchema.applicationIdentifier])
  }

  @Test func `every opening has random bytes of its own`() async throws {
    var store = try TestStore()
    var salts: [SealingSalt] = []
    for round in 1...4 {
      #expect(!salts.contains(store.store.parts.keys.salt))
      salts.append(store.store.parts.keys.salt)
      try await store.load()
      if round == 1 {
        try await store.insert([.test(1)])
        try await store.save([1], of: .test(1))
      }
      store = try await store.reopened()
    }
    try await store.load()
    let state = try store.state(of: .test(1))
    #expect(state == [1])
  }
}
