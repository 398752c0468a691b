// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Proscenium

/// One value of a table of which parts are read in place, used by the thread of its connection.
///
/// As long as it is open, its connection sees the database as it was, and keeps the log from
/// beginning anew.
@safe
struct SQLiteBlob: Sendable {
  /// The number of bytes of the value.
  let count: Int

  private let address: UInt

  private var pointer: OpaquePointer {
    unsafe OpaquePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Opens the value of a row, or returns `nil` if it cannot be read: there is no such row as far
  /// as the connection sees, or the file is damaged there.
  ///
  /// - Throws: What SQLite refuses for another reason, such as a lock that somebody else has.
  init?(
    _ row: Int64, column: String, table: String, on connection: SQLiteConnection
  ) throws(StoreError) {
    var pointer: OpaquePointer?
    let code = unsafe sqlite3_blob_open(
      connection.pointer, "main", table, column, row, 0, &pointer)
    guard code == SQLITE_OK, let pointer = unsafe pointer else {
      unsafe sqlite3_blob_close(pointer)
      switch code & 0xFF {
      case SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_IOERR: return nil
      default: throw connection.error(code, during: "opening row \(row) of the table \(table)")
      }
    }
    unsafe self.init(pointer)
  }

  private init(_ pointer: OpaquePointer) {
    address = UInt(bitPattern: pointer)
    count = Int(unsafe sqlite3_blob_bytes(pointer))
  }

  /// Goes to another row of the same state of the database.
  ///
  /// - Returns: The value there, or `nil` if it cannot be read; this one is then of no use either
  ///   and was closed.
  consuming func moved(to row: Int64) -> SQLiteBlob? {
    guard unsafe sqlite3_blob_reopen(pointer, row) == SQLITE_OK else {
      close()
      return nil
    }
    return unsafe SQLiteBlob(pointer)
  }

  /// Reads bytes into memory.
  ///
  /// - Returns: Whether they could be read.
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    unsafe sqlite3_blob_read(pointer, buffer.baseAddress, CInt(buffer.count), CInt(offset))
      == SQLITE_OK
  }

  /// Ends the access.
  func close() {
    unsafe sqlite3_blob_close(pointer)
  }
}
