// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Foundation

/// The files of a crash test's store.
struct CrashFolder: Sendable {
  let path: String

  var store: String { path + "/crash.store" }
  var key: String { store + ".key" }
  var log: String { store + "-wal" }
  /// What the writer said on its standard error.
  var errors: String { path + "/crash.errors" }

  /// The size of a file in bytes; 0 where there is none.
  func size(of file: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return (attributes?[.size] as? Int) ?? 0
  }

  /// The last line that the writer said on its standard error.
  var lastError: String {
    guard let bytes = try? FileContents.read(errors) else { return "" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.last.map { String($0) } ?? ""
  }

  /// Removes the store, so that the next writer makes a new one.
  func removeStore() {
    for file in [store, log, store + "-shm", store + ".lock", key] {
      try? FileManager.default.removeItem(atPath: file)
    }
  }

  /// Puts a new application key in front of the one before.
  ///
  /// - Throws: What the system refuses.
  func changeKey(_ random: inout SplitMix64) throws {
    let old = String(decoding: try FileContents.read(key), as: UTF8.self).prefix(64)
    let new = (0..<4).map { _ in ReplayDigest(value: random.next()).text }.joined()
    // The file is never there in part.
    let part = key + ".part"
    let bytes = Data("\(new)\n\(old)\n".utf8)
    _ = FileManager.default.createFile(
      atPath: part, contents: bytes, attributes: [.posixPermissions: 0o600])
    try FileManager.default.removeItem(atPath: key)
    try FileManager.default.moveItem(atPath: part, toPath: key)
  }

  /// The file that fills the disk.
  private var ballast: String { path + "/ballast" }

  /// Fills the file system that the folder is on, to its last byte.
  ///
  /// - Throws: `FileError` if the file cannot be opened.
  func fill() throws(FileError) {
    let file = try ByteFile(replacing: ballast)
    for size in [1 << 20, 64 << 10, 4 << 10, 512] {
      let bytes = [UInt8](repeating: 0x55, count: size)
      // Until the system refuses; so much is left that the next size fits.
      while (try? file.write(bytes)) != nil {}
    }
  }

  /// Frees what ``fill()`` took.
  func free() {
    try? FileManager.default.removeItem(atPath: ballast)
  }
}
