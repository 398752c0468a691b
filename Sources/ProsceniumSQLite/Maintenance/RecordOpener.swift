// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Opens any record of a store, with the keys as they stand in the file.
final class RecordOpener {
  /// The key of a session, as far as it can be had.
  enum Key {
    case known(SessionIdentifier, SessionKey)
    /// The row is there, and something is wrong with it.
    case refused(StoreError)
    /// There is no row: the key was destroyed.
    case destroyed
  }

  private let ring: KeyRing
  private let connection: SQLiteConnection
  private let reading: SQLiteStatement
  private var salts: [UInt64: [UInt8]] = [:]

  private static let saltLimit = 4_096

  /// Prepares what is needed.
  ///
  /// - Throws: What SQLite refuses.
  init(_ ring: KeyRing, on connection: SQLiteConnection) throws(StoreError) {
    self.ring = ring
    self.connection = connection
    reading = try connection.prepare(
      "SELECT \(KeyRow.columns) FROM session_key WHERE sid = ?1")
  }

  deinit {
    reading.finalize()
  }

  /// Looks up the key of a session.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  func key(of sid: SessionNumber) throws(StoreError) -> Key {
    reading.bind(sid.row, 1)
    defer { reading.reset() }
    do throws(StoreError) {
      guard try reading.step() else { return .destroyed }
    } catch  where error.code == .damaged {
      return .refused(error)
    }
    return key(reading)
  }

  /// The key in the row at which a statement over the columns of ``KeyRow`` stands.
  private func key(_ statement: SQLiteStatement) -> Key {
    let identifier = statement.identifier(1)
    guard let row = KeyRow(statement) else {
      return .refused(
        StoreError(
          .damaged, session: identifier,
          "the row of its key, \(statement.integer(0)), does not have its checksum."))
    }
    do throws(StoreError) {
      return .known(row.identifier, try ring.unwrap(row.wrapped, of: row.identifier).key)
    } catch {
      return .refused(error)
    }
  }

  /// Opens a record.
  ///
  /// - Parameters:
  ///   - record: The record from its header on.
  ///   - key: The session's key.
  ///   - body: Is given the state.
  /// - Returns: What `body` returned.
  /// - Throws: `damaged` if the record cannot be opened, or what SQLite refuses.
  func open<Success>(
    _ record: RawSpan, with key: (SessionIdentifier, SessionKey),
    _ body: (RawSpan) throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    guard let header = RecordHeader(in: record, at: 0) else {
      throw StoreError(.damaged, session: key.0, "expected a record, found none.")
    }
    guard let salt = try salt(of: header.opening) else {
      throw StoreError(
        .damaged, session: key.0,
        "expected the random bytes of opening \(header.opening), found none or damaged ones.")
    }
    let state = try RecordSealer.open(
      record, identifier: key.0, key: key.1.recordKey(salt: salt))
    return try unsafe body(state.span.bytes)
  }

  private func salt(of opening: UInt64) throws(StoreError) -> [UInt8]? {
    if let salt = salts[opening] { return salt }
    guard let row = try OpeningRow.read(opening, on: connection) else { return nil }
    if salts.count >= Self.saltLimit { salts.removeAll() }
    salts[opening] = row.salt
    return row.salt
  }
}
