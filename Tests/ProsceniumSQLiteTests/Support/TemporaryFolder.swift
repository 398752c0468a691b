// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of its own for one test, removed with its last reference.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/proscenium-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder, whether it is there or not.
  func path(_ name: String) -> String { path + "/" + name }

  /// The names of everything in the folder, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes a file with a mode and gives its path.
  func file(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws -> String {
    let path = path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }
}
