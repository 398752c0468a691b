// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
@testable import ProsceniumSQLite
import ProsceniumTestKit
import Testing

/// The suite that every store passes.
@Suite struct StoreCompatibilityTests {
  /// The folders of a test's stores, removed with it.
  private final class Folders: Sendable {
    private let folders = Guarded<[TemporaryFolder]>([])

    func next() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      folders.withLock { $0.append(folder) }
      return folder
    }
  }

  private static func open(_ path: String) throws -> SQLiteSessionStore {
    try SQLiteSessionStore(
      path: path, key: .callback { try ApplicationKeys(primary: TestStore.key) })
  }

  @TaskLocal private static var folders = Folders()

  private static let suite = SessionStoreSuite {
    try open(folders.next().path("store"))
  } reopen: { store in
    try await store.close()
    return try open(store.parts.path)
  } crash: { store in
    // What the machine would find: the files as they are while the store is open.
    let path = try folders.next().path("store")
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: store.parts.path + end) {
      try FileManager.default.copyItem(atPath: store.parts.path + end, toPath: path + end)
    }
    return try open(path)
  }

  @Test(arguments: suite.checks)
  func `a store in a file does what every store does`(check: SessionStoreCheck) async {
    #expect(!check.isSkipped)
    let failures = await Self.$folders.withValue(Folders()) { await check.failures() }
    #expect(failures.isEmpty)
  }
}
