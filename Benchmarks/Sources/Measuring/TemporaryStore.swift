// SPDX-License-Identifier: Apache-2.0

import Foundation
package import ProsceniumSQLite

/// A store in a folder of its own on the disk that is measured; both are removed with this object.
package final class TemporaryStore: Sendable {
  package let store: SQLiteSessionStore
  package let folder: String

  /// Makes a store.
  ///
  /// - Throws: What the system or the store refuses.
  package init() throws {
    folder = Scale.current.folder + "/proscenium-benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    store = try Self.open(folder)
  }

  /// The path of the store's file.
  package var path: String { folder + "/sessions.db" }

  /// Opens the store again, which must have been closed.
  package func openAgain() throws -> SQLiteSessionStore { try Self.open(folder) }

  private static func open(_ folder: String) throws -> SQLiteSessionStore {
    try SQLiteSessionStore(
      path: folder + "/sessions.db",
      key: FileKeyProvider(path: folder + "/sessions.key", createsIfMissing: true))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}
