// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Everything in a folder at one moment: names, bytes, and when it was changed.
struct FolderContents: Equatable, CustomStringConvertible {
  private struct File: Equatable {
    let bytes: Bytes?
    let changedAt: Date?
  }

  private let changedAt: Date?
  private let files: [String: File]

  init(_ folder: TemporaryFolder) throws {
    func date(_ path: String) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    changedAt = try date(folder.path)
    var files: [String: File] = [:]
    for name in folder.names {
      let path = folder.path(name)
      files[name] = File(
        bytes: FileManager.default.contents(atPath: path).map { Bytes($0) },
        changedAt: try date(path))
    }
    self.files = files
  }

  var description: String {
    files.sorted { $0.key < $1.key }.map { "\($0): \($1.bytes?.count ?? 0)" }.joined(
      separator: ", ")
  }
}
