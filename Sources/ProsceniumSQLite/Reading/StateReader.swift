// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A connection that reads records and keys, used by one thread at a time.
struct StateReader: Sendable {
  private let connection: SQLiteConnection
  private let keys: SQLiteStatement
  private var blob: SQLiteBlob?

  /// How much of the file is mapped into memory: all of it.
  private static let mappedBytes = 1 << 40

  /// Opens a connection.
  ///
  /// - Throws: What SQLite refuses.
  init(_ path: String) throws(StoreError) {
    connection = try SQLiteConnection.openForReading(path, mappedBytes: Self.mappedBytes)
    do throws(StoreError) {
      keys = try connection.prepare("SELECT \(KeyRow.columns) FROM session_key WHERE sid = ?1")
    } catch {
      connection.close()
      throw error
    }
  }

  /// Ends the connection.
  mutating func close() {
    release()
    keys.finalize()
    connection.close()
  }

  /// Lets go of the state of the database that the reader sees, so that the log can begin anew.
  mutating func release() {
    blob?.close()
    blob = nil
  }

  /// Reads the bytes at a place of a segment.
  ///
  /// - Returns: At most `size` bytes, fewer at the end of the segment; `nil` if there is no such
  ///   segment in the state of the database that the reader sees, or it is damaged.
  /// - Throws: What SQLite refuses, other than damage.
  mutating func bytes(
    segment: Int64, offset: Int, size: Int
  ) throws(StoreError) -> [UInt8]? {
    let last = blob
    blob = nil
    var current = last?.moved(to: segment)
    if current == nil { current = try open(segment) }
    guard let current else { return nil }
    blob = current
    guard offset < current.count else { return nil }
    var isRead = false
    let bytes = unsafe [UInt8](
      unsafeUninitializedCapacity: min(size, current.count - offset)
    ) { buffer, count in
      let target = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<min(size, current.count - offset)])
      isRead = unsafe current.read(target, at: offset)
      count = isRead ? target.count : 0
    }
    return isRead ? bytes : nil
  }

  private func open(_ segment: Int64) throws(StoreError) -> SQLiteBlob? {
    try SQLiteBlob(segment, column: "body", table: "segment", on: connection)
  }

  /// Reads a session's key, wrapped.
  ///
  /// - Returns: The row, or `nil` if it is not there in the state of the database that the reader
  ///   sees, or does not have its checksum.
  /// - Throws: What SQLite refuses, other than damage.
  func key(_ sid: SessionNumber) throws(StoreError) -> KeyRow? {
    keys.bind(sid.row, 1)
    defer { keys.reset() }
    do throws(StoreError) {
      return try keys.step() ? KeyRow(keys) : nil
    } catch  where error.code == .damaged {
      return nil
    }
  }

  /// Reads the random bytes of an opening.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  func opening(_ number: UInt64) throws(StoreError) -> OpeningRow? {
    try OpeningRow.read(number, on: connection)
  }
}
