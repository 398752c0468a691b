// SPDX-License-Identifier: Apache-2.0

import Proscenium

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where the files of a store are.
struct StoreLocation: Sendable {
  /// The path of the database, without links in it.
  let path: String

  /// The file by whose lock one process owns the store.
  var lockPath: String { path + ".lock" }

  /// The log of what is not yet in the database.
  var logPath: String { path + "-wal" }

  /// What a program leaves that ended while it changed a database without a log.
  var journalPath: String { path + "-journal" }

  /// Finds the place that a path names, before any file is made there.
  ///
  /// - Throws: `unusable` if no file can be there, or if something else is.
  init(_ path: String) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(.unusable, "expected the path of a store, found an empty one.")
    }
    // A store that is opened by two ways must have one lock.
    if let real = Self.real(path) {
      if let kind = FileState(real)?.otherKind {
        throw StoreError(.unusable, "\(path): expected a store or no file, found \(kind).")
      }
      self.path = real
      return
    }
    // SQLite would make the file at its end, and its log there; the lock would be here.
    guard !FileState.isLink(path) else {
      throw StoreError(
        .unusable,
        "\(path): expected a store or no file, found a symbolic link that leads to no file.")
    }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    guard let parent = Self.real(folder), !name.isEmpty else {
      throw StoreError(.unusable, "\(path): expected a file in a folder, found no such folder.")
    }
    self.path = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
  }

  /// Refuses a database with more than one name: under each it would have a lock and a log of its
  /// own, and what one of them holds would be lost under the others.
  ///
  /// - Throws: `unusable`.
  func requireOneName() throws(StoreError) {
    guard let links = FileState(path)?.links, links > 1 else { return }
    throw StoreError(
      .unusable,
      "\(path): expected a file with one name, found \(links) hard links: its lock and its log"
        + " are next to one of them alone. Remove the others, or copy it.")
  }

  private static func real(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
