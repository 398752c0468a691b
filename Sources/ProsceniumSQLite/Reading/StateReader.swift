// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import ProsceniumStoring

/// A connection that reads what is kept of sessions.
struct StateReader: Sendable {
  let connection: SQLiteConnection
  private let stateOfSession: SQLiteStatement
  private let stateInRow: SQLiteStatement
  private let rowOfSession: SQLiteStatement

  /// The columns of a row, and the size of its state's record.
  static let columns =
    StoredRow.columns + ", (SELECT length(sealed) FROM state WHERE state.session = number)"

  /// What is kept of a session, as of one moment.
  struct Found: Sendable {
    let row: StoredRow
    /// The record of the state; empty for none, `nil` if its row is missing.
    let sealed: [UInt8]?
  }

  /// Opens a connection.
  ///
  /// - Throws: What SQLite refuses.
  init(_ path: String) throws(StoreError) {
    try self.init(on: SQLiteConnection.openForReading(path))
  }

  /// Reads on a connection that its owner closes.
  ///
  /// - Throws: What SQLite refuses.
  init(on connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    rowOfSession = try connection.prepare("SELECT \(StoredRow.columns) FROM session WHERE id = ?1")
    func select(where condition: String) throws(StoreError) -> SQLiteStatement {
      try connection.prepare(
        """
        SELECT found.*, sealed, state.session
        FROM (SELECT \(StoredRow.columns) FROM session WHERE \(condition)) AS found
          LEFT JOIN state ON state.session = found.number
        """)
    }
    stateOfSession = try select(where: "id = ?1")
    stateInRow = try select(where: "number = ?2 AND id = ?1")
  }

  /// Ends the statements.
  func finalize() {
    rowOfSession.finalize()
    stateOfSession.finalize()
    stateInRow.finalize()
  }

  /// The row of a session, or `nil` if it is not kept.
  ///
  /// - Throws: `damaged`, or what SQLite refuses.
  func row(of session: SessionIdentifier) throws(StoreError) -> StoredRow? {
    rowOfSession.bind(session, 1)
    defer { rowOfSession.reset() }
    guard try rowOfSession.step() else { return nil }
    return try Self.row(rowOfSession, of: session)
  }

  /// The row of a session and its state, or `nil` if it is not kept.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - number: The number of its row, if that is known: the index is not searched then.
  /// - Returns: What is kept of it.
  /// - Throws: `damaged`, or what SQLite refuses.
  func find(_ session: SessionIdentifier, in number: Int64?) throws(StoreError) -> Found? {
    if let number, let found = try find(session, stateInRow, number) { return found }
    if let found = try find(session, stateOfSession, nil) { return found }
    guard try isUnindexed(session) else { return nil }
    throw StoreError(.damaged, session: session, "the index of the sessions does not have it.")
  }

  private func find(
    _ session: SessionIdentifier, _ statement: SQLiteStatement, _ number: Int64?
  ) throws(StoreError) -> Found? {
    statement.bind(session, 1)
    if let number { statement.bind(number, 2) }
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let row = try Self.row(statement, of: session)
    let column = StoredRow.columnCount
    let isThere = !statement.isNull(column + 1)
    return Found(row: row, sealed: isThere ? statement.bytes(column) : nil)
  }

  private static func row(
    _ statement: SQLiteStatement, of session: SessionIdentifier
  ) throws(StoreError) -> StoredRow {
    guard let row = StoredRow(statement), row.identifier == session else {
      throw StoreError(
        .damaged, session: session,
        "expected the session in row \(statement.integer(0)), found another one.")
    }
    return row
  }

  /// Whether a session has a row that the index does not know, which is looked for everywhere.
  private func isUnindexed(_ session: SessionIdentifier) throws(StoreError) -> Bool {
    let statement = try connection.prepare(
      "SELECT 1 FROM session NOT INDEXED WHERE id = ?1 AND number > 0")
    defer { statement.finalize() }
    statement.bind(session, 1)
    return try statement.step()
  }
}

extension StateReader.Found {
  /// Opens the saved state.
  ///
  /// - Parameters:
  ///   - configurations: What the row's code binds of its configuration.
  ///   - seal: Gives the session's keys.
  /// - Returns: The state, or `nil` if there is none.
  /// - Throws: `damaged` if anything of it is not as it was written, or what `seal` throws.
  func open(
    _ configurations: ConfigurationTable, _ seal: (StoredRow) throws(StoreError) -> SessionSeal
  ) throws(StoreError) -> [UInt8]? {
    guard let sealed else { throw row.damage("its state is missing") }
    if row.key.isEmpty {
      try row.checkWithoutKey()
      guard sealed.isEmpty else { throw row.damage("it has a state and no key") }
      return nil
    }
    let seal = try seal(row)
    try row.check(configurations, under: seal.codeKey)
    guard row.version != 0 else {
      if sealed.isEmpty { return nil }
      throw row.damage("it has no state, and there is one")
    }
    do throws(SealingError) {
      return try unsafe RecordSealer.open(
        sealed.span.bytes, as: RecordPlace(stateOf: row.identifier, version: row.version),
        with: seal)
    } catch {
      throw StoreError(.damaged, session: row.identifier, "its saved state: \(error.message)")
    }
  }
}

/// The connections that read when sessions are restored.
final class ReaderPool: Sendable {
  private struct State: Sendable {
    var idle: [StateReader] = []
    var isClosed = false
  }

  /// How many connections wait for work; more are made while more threads read, and closed again.
  private static let idleLimit = 8

  private let path: String
  private let state = Guarded(State())

  /// Creates a pool for a database that exists.
  init(_ path: String) {
    self.path = path
  }

  /// Calls a function with a reader of its own.
  ///
  /// - Throws: What the function throws, or what SQLite refuses.
  func withReader<Success>(
    _ body: (StateReader) throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    let idle = try state.withLock { (state) throws(StoreError) -> StateReader? in
      guard !state.isClosed else {
        throw StoreError(.failed, "\(path): expected an open store, found it closed.")
      }
      return state.idle.popLast()
    }
    let reader = if let idle { idle } else { try StateReader(path) }
    defer { putBack(reader) }
    return try body(reader)
  }

  private func putBack(_ reader: StateReader) {
    let isSurplus = state.withLock { state in
      if state.isClosed || state.idle.count >= Self.idleLimit { return true }
      state.idle.append(reader)
      return false
    }
    if isSurplus { Self.end(reader) }
  }

  /// Ends the connections; those that are in use end when they come back.
  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for reader in idle { Self.end(reader) }
  }

  private static func end(_ reader: StateReader) {
    reader.finalize()
    reader.connection.close()
  }
}
