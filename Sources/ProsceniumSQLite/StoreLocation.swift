// SPDX-License-Identifier: Apache-2.0

import Proscenium

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where the files of a store stand.
struct StoreLocation: Sendable {
  /// The path of the database, without links in it.
  let path: String

  /// The file by whose lock one process owns the store.
  var lockPath: String { path + ".lock" }

  /// The log of what is not yet in the database.
  var logPath: String { path + "-wal" }

  /// What a program leaves that ended while it changed a database without a log.
  var journalPath: String { path + "-journal" }

  /// Finds the place that a path names.
  ///
  /// - Throws: `unusable` if no file can stand there.
  init(_ path: String) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(.unusable, "expected the path of a store, found an empty one.")
    }
    // A store that is opened by two ways must have one lock.
    if let real = Self.real(path) {
      self.path = real
      return
    }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    guard let parent = Self.real(folder), !name.isEmpty else {
      throw StoreError(.unusable, "\(path): expected a file in a folder, found no such folder.")
    }
    self.path = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
  }

  private static func real(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
