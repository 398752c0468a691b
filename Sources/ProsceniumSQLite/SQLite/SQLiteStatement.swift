// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Proscenium
import ProsceniumSealing

/// A prepared statement, used by the thread that uses its connection.
@safe
struct SQLiteStatement: Sendable {
  let connection: SQLiteConnection

  private let address: UInt

  init(_ pointer: OpaquePointer, on connection: SQLiteConnection) {
    self.connection = connection
    address = UInt(bitPattern: pointer)
  }

  private var pointer: OpaquePointer {
    unsafe OpaquePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Ends the statement for good.
  func finalize() {
    unsafe sqlite3_finalize(pointer)
  }

  // MARK: - Parameters, counted from 1

  /// Binds an integer.
  func bind(_ value: Int64, _ index: CInt) {
    unsafe sqlite3_bind_int64(pointer, index, value)
  }

  /// Binds nothing.
  func bindNull(_ index: CInt) {
    unsafe sqlite3_bind_null(pointer, index)
  }

  /// Binds a copy of a text, or nothing.
  func bind(_ text: String?, _ index: CInt) {
    guard var text else { return bindNull(index) }
    text.withUTF8 { bytes in
      // A null pointer would bind nothing instead of the empty text.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        unsafe sqlite3_bind_text(pointer, index, "", 0, nil)
        return
      }
      _ = unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        unsafe sqlite3_bind_text(pointer, index, $0, CInt(bytes.count), Self.copied)
      }
    }
  }

  /// Binds a copy of bytes.
  func bind(_ bytes: [UInt8], _ index: CInt) {
    _ = unsafe bytes.withUnsafeBytes {
      unsafe sqlite3_bind_blob(pointer, index, $0.baseAddress, CInt($0.count), Self.copied)
    }
  }

  /// Binds a copy of bytes, or nothing if there are none.
  func bind(orNull bytes: [UInt8], _ index: CInt) {
    if bytes.isEmpty { bindNull(index) } else { bind(bytes, index) }
  }

  /// Binds an identifier as its 16 bytes.
  func bind(_ identifier: SessionIdentifier, _ index: CInt) {
    let words = (identifier.high.bigEndian, identifier.low.bigEndian)
    _ = unsafe withUnsafeBytes(of: words) {
      unsafe sqlite3_bind_blob(pointer, index, $0.baseAddress, 16, Self.copied)
    }
  }

  /// Binds a code, or nothing.
  func bind(_ code: MessageCode?, _ index: CInt) {
    guard let code else { return bindNull(index) }
    _ = unsafe code.withUnsafeBytes {
      unsafe sqlite3_bind_blob(pointer, index, $0.baseAddress, CInt($0.count), Self.copied)
    }
  }

  /// Runs the statement with bytes that are not copied.
  ///
  /// - Throws: As ``run()``.
  func run(with bytes: RawSpan, _ index: CInt) throws(StoreError) {
    let failure = unsafe bytes.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_blob(pointer, index, bytes.baseAddress, CInt(bytes.count), nil)
      let code = unsafe sqlite3_step(pointer)
      unsafe sqlite3_reset(pointer)
      // SQLite forgets with the next call what was wrong.
      let failure = code == SQLITE_DONE || code == SQLITE_ROW ? nil : self.failure(code)
      bindNull(index)
      return failure
    }
    if let failure { throw failure }
  }

  // MARK: - Running

  /// Goes to the next row.
  ///
  /// - Returns: Whether there is one. If not, or if an error is thrown, the statement was reset.
  /// - Throws: What SQLite refuses.
  func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    unsafe sqlite3_reset(pointer)
    if code != SQLITE_DONE { throw failure(code) }
    return false
  }

  /// Runs the statement to its end.
  ///
  /// - Throws: What SQLite refuses.
  func run() throws(StoreError) {
    while try step() {}
  }

  /// Lets the statement be run again.
  func reset() {
    unsafe sqlite3_reset(pointer)
  }

  private func failure(_ code: CInt) -> StoreError {
    connection.error(
      code, during: unsafe sqlite3_sql(pointer).map { unsafe String(cString: $0) } ?? "")
  }

  // MARK: - Columns, counted from 0

  /// A column as an integer; 0 if it is something else.
  func integer(_ column: CInt) -> Int64 {
    unsafe sqlite3_column_int64(pointer, column)
  }

  /// Whether a column has nothing.
  func isNull(_ column: CInt) -> Bool {
    unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  /// A column as a text, or `nil` if it has nothing.
  func text(_ column: CInt) -> String? {
    guard let start = unsafe sqlite3_column_text(pointer, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(pointer, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// A column as a copy of its bytes; empty if it has nothing.
  func bytes(_ column: CInt) -> [UInt8] {
    withBytes(column) { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
  }

  /// Calls a function with a column's bytes, which end with the next step.
  func withBytes<Result>(_ column: CInt, _ body: (RawSpan) -> Result) -> Result {
    let start = unsafe sqlite3_column_blob(pointer, column)
    let buffer = unsafe UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(pointer, column)))
    return body(unsafe buffer.bytes)
  }

  /// A column as an identifier, or `nil` if it does not have 16 bytes.
  func identifier(_ column: CInt) -> SessionIdentifier? {
    guard let start = unsafe sqlite3_column_blob(pointer, column),
      unsafe sqlite3_column_bytes(pointer, column) == 16
    else { return nil }
    return unsafe SessionIdentifier(
      high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }

  /// SQLite's name for bytes that it has to copy.
  private static var copied: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }
}
