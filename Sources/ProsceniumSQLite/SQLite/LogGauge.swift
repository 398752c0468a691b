// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// How many pages the log of a connection has, as of its last transaction.
///
/// SQLite tells it to a function of C, which needs a place to put it.
@safe
struct LogGauge: Sendable {
  private let address: UInt

  private var cell: UnsafeMutablePointer<CInt> {
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Begins to watch a connection, in place of the checkpoints that SQLite would make by itself.
  init(_ connection: SQLiteConnection) {
    let cell = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
    unsafe cell.initialize(to: 0)
    address = UInt(bitPattern: cell)
    unsafe sqlite3_wal_hook(
      connection.pointer,
      { context, _, _, pages in
        unsafe context?.storeBytes(of: pages, as: CInt.self)
        return SQLITE_OK
      }, cell)
  }

  /// The number of pages.
  var pages: Int { Int(unsafe cell.pointee) }

  /// Notes that the log was cut off.
  func reset() {
    unsafe cell.pointee = 0
  }

  /// Ends the watch; the connection makes no transaction any more.
  func end(_ connection: SQLiteConnection) {
    unsafe sqlite3_wal_hook(connection.pointer, nil, nil)
    unsafe cell.deallocate()
  }
}
