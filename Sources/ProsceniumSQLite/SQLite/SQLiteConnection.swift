// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Proscenium

/// A connection to an SQLite database, used by one thread at a time.
///
/// It is the address of what SQLite made, and is closed by the code that opened it.
@safe
struct SQLiteConnection: Sendable {
  /// The path of the database, for messages.
  let path: String

  private let address: UInt

  /// Wraps a connection that other code opened and closes.
  init(_ pointer: OpaquePointer, path: String) {
    self.path = path
    address = UInt(bitPattern: pointer)
  }

  var pointer: OpaquePointer {
    unsafe OpaquePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// How a connection that reads has a file.
  enum Sharing {
    /// With the process that writes it.
    case shared
    /// Alone, with its log: SQLite makes and changes no file.
    case aloneWithLog
    /// Alone: SQLite looks at this file, which has no log, and at no other.
    case alone
  }

  /// The number of bytes of a page of a store: small, since a commit writes a page of states for
  /// each session.
  static let pageSize = 1_024

  /// Opens a connection that reads only.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - sharing: How it has the file; alone only with an absolute path.
  /// - Returns: The connection.
  /// - Throws: `unusable` if there is no database; `failed` if the system refuses.
  static func openForReading(
    _ path: String, _ sharing: Sharing = .shared
  ) throws(StoreError) -> SQLiteConnection {
    let isURL = sharing == .alone
    let connection = try open(
      isURL ? immutableURL(path) : path,
      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | (isURL ? SQLITE_OPEN_URI : 0), for: path,
      locks: sharing != .aloneWithLog)
    do throws(StoreError) {
      if sharing == .aloneWithLog {
        // The index of the log is in memory then, and no file that SQLite would make and write.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        unsafe proscenium_keep_log(connection.pointer)
      }
      try connection.execute("PRAGMA trusted_schema = OFF")
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - name: The path or URL of the database.
  ///   - flags: How SQLite opens it.
  ///   - path: The path, if the name is another.
  ///   - locks: Whether it takes the locks by which other connections see it.
  /// - Returns: The connection; nothing was read yet where it only reads.
  /// - Throws: `unusable` if there is no database; what SQLite refuses.
  static func open(
    _ name: String, _ flags: CInt, for path: String? = nil, locks: Bool = true
  ) throws(StoreError) -> SQLiteConnection {
    let path = path ?? name
    var pointer: OpaquePointer?
    // A path that looks like a URL would be read as one.
    let isPlain = flags & SQLITE_OPEN_URI == 0 && !name.hasPrefix("/")
    let code = unsafe sqlite3_open_v2(
      isPlain ? "./" + name : name, &pointer, flags, locks ? nil : "unix-none")
    guard code == SQLITE_OK, let pointer = unsafe pointer else {
      let reason = unsafe String(cString: sqlite3_errstr(code))
      unsafe sqlite3_close(pointer)
      throw StoreError(
        code == SQLITE_CANTOPEN ? .unusable : .failed,
        "\(path): expected a database that can be opened: \(reason)")
    }
    let connection = unsafe SQLiteConnection(pointer, path: path)
    unsafe sqlite3_extended_result_codes(pointer, 1)
    unsafe sqlite3_busy_timeout(pointer, 10_000)
    guard flags & SQLITE_OPEN_CREATE != 0 else { return connection }
    do throws(StoreError) {
      // It concerns a new file alone, before anything is written.
      try connection.execute("PRAGMA page_size = \(pageSize)")
      _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  /// The URL by which SQLite takes a file for one that is not changed.
  private static func immutableURL(_ path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-".utf8)
    let name = path.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
    }
    return "file://\(name.joined())?immutable=1"
  }

  /// Opens a database in memory.
  ///
  /// - Throws: What SQLite refuses.
  static func openInMemory() throws(StoreError) -> SQLiteConnection {
    var pointer: OpaquePointer?
    guard unsafe sqlite3_open(":memory:", &pointer) == SQLITE_OK, let pointer = unsafe pointer
    else {
      unsafe sqlite3_close(pointer)
      throw StoreError(.failed, "a database in memory cannot be made.")
    }
    return unsafe SQLiteConnection(pointer, path: ":memory:")
  }

  /// Ends the connection; its statements were ended before.
  func close() {
    unsafe sqlite3_close_v2(pointer)
  }

  /// Runs statements that return nothing of interest.
  ///
  /// - Throws: A ``StoreError`` that names the statements.
  func execute(_ statements: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(pointer, statements, nil, nil, nil)
    if code != SQLITE_OK { throw error(code, during: statements) }
  }

  /// Prepares a statement that is run many times.
  ///
  /// - Throws: A ``StoreError`` that names the statement.
  func prepare(_ text: String) throws(StoreError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      pointer, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else {
      throw error(code, during: text)
    }
    return unsafe SQLiteStatement(statement, on: self)
  }

  /// The first column of a query's first row as an integer; 0 if there is none.
  func integer(_ query: String) throws(StoreError) -> Int64 {
    let statement = try prepare(query)
    defer { statement.finalize() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// How many rows the last statement changed.
  var changedRows: CInt { unsafe sqlite3_changes(pointer) }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(pointer) == 0 }

  /// What an error code of SQLite means to the user of a store.
  func error(_ code: CInt, during work: String) -> StoreError {
    let reason = unsafe String(cString: sqlite3_errmsg(pointer))
    let number = unsafe sqlite3_system_errno(pointer)
    return StoreError(
      Self.kind(of: code, systemError: number),
      "\(path): \(reason) (SQLite \(code)) at \(work.prefix(80))")
  }

  private static func kind(of code: CInt, systemError: CInt) -> StoreError.Code {
    switch code & 0xFF {
    case SQLITE_FULL: .full
    case SQLITE_IOERR where systemError == SystemError.noSpace: .full
    case SQLITE_CORRUPT: .damaged
    case SQLITE_NOTADB: .unusable
    case SQLITE_BUSY, SQLITE_LOCKED: .inUse
    case SQLITE_TOOBIG: .limitExceeded
    default: .failed
    }
  }
}

extension SQLiteConnection {
  /// Runs work in a transaction, all or nothing.
  ///
  /// - Throws: What the work throws, or what SQLite refuses.
  func transaction<Success>(
    _ work: () throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    try execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try work()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Gives up the transaction, if SQLite has not done so by itself.
  func rollBack() {
    if isInTransaction { try? execute("ROLLBACK") }
  }
}

extension SQLiteConnection {
  /// How a log is brought into the database.
  enum Checkpoint {
    /// As far as no connection reads what it would overwrite.
    case passive
    /// All of it, and the log is cut off; not at all while a connection reads.
    case truncating

    fileprivate var mode: CInt {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .truncating: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// Brings the log into the database.
  ///
  /// - Returns: Whether all of it is there now.
  /// - Throws: What SQLite refuses; that another connection reads or does the same is no error.
  func checkpoint(_ checkpoint: Checkpoint) throws(StoreError) -> Bool {
    var (all, done): (CInt, CInt) = (-1, -1)
    let code = unsafe sqlite3_wal_checkpoint_v2(
      pointer, "main", checkpoint.mode, &all, &done)
    switch code & 0xFF {
    case SQLITE_OK: return all == done
    case SQLITE_BUSY, SQLITE_LOCKED: return false
    default: throw error(code, during: "a checkpoint")
    }
  }
}
