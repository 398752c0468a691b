// SPDX-License-Identifier: Apache-2.0

import CSQLite
public import Proscenium
import ProsceniumSealing
import ProsceniumStoring

/// Copies a store into one new file, also while an application uses it.
public enum StoreBackup: Sendable {
  /// How many pages are copied in one step.
  private static let step: CInt = 256

  /// Makes a backup.
  ///
  /// The copy is the store as it was when the copying began. It is complete and on the disk before
  /// it has its name, and never replaces a file. It is sealed with the same application key, which
  /// has to be kept apart from it. While it is made, the log of a store that is being written keeps
  /// growing.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - file: The path of the new file.
  ///   - progress: Is told how many bytes of how many were copied; from the beginning if a program
  ///     began to write to the store, so that it is copied again.
  /// - Returns: The size of the new file in bytes.
  /// - Throws: `unusable` or `newerVersion` if there is no store; `failed` if there is a file
  ///   already; `full` or `failed` if the system refuses.
  @discardableResult
  public static func make(
    of path: String, at file: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> Int {
    try StoreView.retrying { () throws(StoreError) in
      let view = try StoreView(path, key: nil)
      guard !NewFile.isThere(file) else { throw exists(file) }
      let target = try StoreError.sealing { () throws(SealingError) in try NewFile(file) }
      try view.read { () throws(StoreError) in try copy(view, to: target.temporaryPath, progress) }
      let size = try StoreError.sealing { () throws(SealingError) in try target.finish() }
      guard let size else { throw exists(file) }
      return size
    }
  }

  private static func exists(_ file: String) -> StoreError {
    StoreError(.failed, "\(file): expected a new file, found that there is one already.")
  }

  private static func copy(
    _ view: StoreView, to path: String, _ progress: (Int, Int) -> Void
  ) throws(StoreError) {
    let target = try SQLiteConnection.openForCopy(path)
    defer { target.close() }
    guard
      let backup = unsafe sqlite3_backup_init(
        target.pointer, "main", view.connection.pointer, "main")
    else {
      throw target.error(unsafe sqlite3_errcode(target.pointer), during: "the beginning of a copy")
    }
    var code = SQLITE_OK
    while code == SQLITE_OK || code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED {
      code = unsafe sqlite3_backup_step(backup, step)
      let total = Int(unsafe sqlite3_backup_pagecount(backup))
      let left = Int(unsafe sqlite3_backup_remaining(backup))
      progress((total - left) * SQLiteConnection.pageSize, total * SQLiteConnection.pageSize)
    }
    let result = unsafe sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, result == SQLITE_OK else {
      throw target.error(code == SQLITE_DONE ? result : code, during: "copying")
    }
  }
}

extension SQLiteConnection {
  /// Opens an empty file as the target of a copy, which its owner syncs.
  ///
  /// - Throws: What SQLite refuses.
  fileprivate static func openForCopy(_ path: String) throws(StoreError) -> SQLiteConnection {
    var pointer: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &pointer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let pointer = unsafe pointer else {
      let reason = unsafe String(cString: sqlite3_errstr(code))
      unsafe sqlite3_close(pointer)
      throw StoreError(.failed, "\(path): expected a file that can be written: \(reason)")
    }
    let connection = unsafe SQLiteConnection(pointer, path: path)
    do throws(StoreError) {
      try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    } catch {
      connection.close()
      throw error
    }
    return connection
  }
}
