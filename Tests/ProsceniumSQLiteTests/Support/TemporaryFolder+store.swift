// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation
import Testing

extension TemporaryFolder {
  /// Makes a folder with a store that an earlier program made, from its dump.
  ///
  /// - Parameters:
  ///   - version: The store's version.
  ///   - more: Statements that change it.
  ///   - filePath: This file.
  /// - Returns: The folder, in which the store has the name `store`.
  /// - Throws: What the system refuses.
  static func store(
    version: Int, _ more: String = "", filePath: String = #filePath
  ) throws -> TemporaryFolder {
    let dump = URL(fileURLWithPath: filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Suites/store-version\(version).sql")
    let text = try String(contentsOf: dump, encoding: .utf8)
    let folder = try TemporaryFolder()
    var connection: OpaquePointer?
    #expect(unsafe sqlite3_open(folder.path("store"), &connection) == SQLITE_OK)
    #expect(unsafe sqlite3_exec(connection, text + more, nil, nil, nil) == SQLITE_OK)
    #expect(unsafe sqlite3_close(connection) == SQLITE_OK)
    return folder
  }
}
