// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import Proscenium

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One state of a store's file, for tools: it is read and never changed, maps nothing into memory,
/// and needs no lock, so that an application can use the store meanwhile.
///
/// As long as it is open, the log of a store that is being written keeps growing.
final class StoreView {
  let path: String
  let connection: SQLiteConnection

  /// The row of the table `store`; `nil` if it is damaged.
  let store: StoreRow?

  /// The application's keys, if they were given.
  let ring: KeyRing?

  /// Opens a store's file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - key: Where the application key comes from, or `nil` to open no state.
  /// - Throws: `unusable` if there is no store; `newerVersion`; `wrongKey` if the key is not the
  ///   store's; whatever the provider throws; or what SQLite refuses.
  init(_ path: String, key: (any KeyProvider)?) throws(StoreError) {
    self.path = path
    try Self.checkFile(path)
    connection = try SQLiteConnection.openForReading(path)
    do throws(StoreError) {
      store = try Self.begin(connection)
    } catch {
      connection.close()
      guard error.code == .damaged || error.code == .unusable else { throw error }
      throw StoreError(.unusable, DatabaseFile.complaint(about: path) ?? error.message)
    }
    do throws(StoreError) {
      ring = if let key { KeyRing(try key.keys()) } else { nil }
      try Self.check(ring, for: store, path)
    } catch {
      connection.close()
      throw error
    }
  }

  deinit {
    connection.close()
  }

  /// Refuses what SQLite would call by a name that helps nobody.
  private static func checkFile(_ path: String) throws(StoreError) {
    var status = stat()
    let found: String
    if path.isEmpty || path.utf8.contains(0) {
      found = "a path that no file can have"
    } else if unsafe stat(path, &status) != 0 {
      let number = errno
      found = number == ENOENT || number == ENOTDIR ? "no file" : SystemError.text(number)
    } else if status.st_mode & S_IFMT != S_IFREG {
      found = status.st_mode & S_IFMT == S_IFDIR ? "a directory" : "a device"
    } else if unsafe access(path, R_OK) != 0 {
      found = "a file that may not be read"
    } else if status.st_size == 0 {
      found = "an empty file"
    } else {
      return
    }
    throw StoreError(.unusable, "\(path): expected a store, found \(found).")
  }

  /// Begins to see one state of the database.
  private static func begin(_ connection: SQLiteConnection) throws(StoreError) -> StoreRow? {
    try connection.execute("BEGIN")
    let version = try StoreOpening.checkKind(of: connection)
    guard version == StoreSchema.version else {
      throw StoreError(
        .unusable,
        "\(connection.path): expected a store of version \(StoreSchema.version), found"
          + " \(version == 0 ? "one that was only begun to be made" : "version \(version)").")
    }
    try StoreSchema.check(on: connection)
    return try StoreRow.read(on: connection)
  }

  private static func check(
    _ ring: KeyRing?, for store: StoreRow?, _ path: String
  ) throws(StoreError) {
    guard let ring, let store else { return }
    for check in [store.keyCheck, store.nextKeyCheck]
    where !check.isEmpty && !ring.recognises(check) {
      throw StoreError(
        .wrongKey,
        "\(path): expected the application key that the store is sealed with, found another.")
    }
  }

  /// How many bytes the file and its log have.
  var fileSizes: (database: Int, log: Int) { (Self.size(path), Self.size(path + "-wal")) }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  // MARK: - Reading

  /// Reads a segment, or a part of it.
  ///
  /// - Returns: The bytes, fewer than asked for at the segment's end; `nil` if there is no such
  ///   segment or it cannot be read.
  func bytes(segment: Int64, offset: Int = 0, size: Int = .max) -> [UInt8]? {
    guard
      let blob = try? SQLiteBlob(segment, column: "body", table: "segment", on: connection)
    else { return nil }
    defer { blob.close() }
    guard offset <= blob.count else { return nil }
    let count = min(size, blob.count - offset)
    var isRead = count == 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if count > 0 {
        let target = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
        isRead = unsafe blob.read(target, at: offset)
      }
      filled = isRead ? count : 0
    }
    return isRead ? bytes : nil
  }
}
