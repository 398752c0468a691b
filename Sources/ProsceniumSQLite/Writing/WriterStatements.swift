// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The statements of a store's writer.
struct WriterStatements: Sendable {
  let begin: SQLiteStatement
  let commit: SQLiteStatement
  let insertRow: SQLiteStatement
  let updateRow: SQLiteStatement
  let deleteRow: SQLiteStatement
  let insertState: SQLiteStatement
  let updateState: SQLiteStatement
  let deleteState: SQLiteStatement

  /// Prepares the statements.
  ///
  /// - Throws: What SQLite refuses.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    insertRow = try connection.prepare(StoredRow.insertion)
    updateRow = try connection.prepare(StoredRow.updating)
    deleteRow = try connection.prepare("DELETE FROM session WHERE number = ?1")
    insertState = try connection.prepare(
      "INSERT OR REPLACE INTO state(session, epoch, version, sealed) VALUES (?1, ?2, ?3, ?4)")
    updateState = try connection.prepare(
      "UPDATE state SET epoch = ?2, version = ?3, sealed = ?4 WHERE session = ?1")
    deleteState = try connection.prepare("DELETE FROM state WHERE session = ?1")
  }

  /// Ends the statements.
  func finalize() {
    for statement in [
      begin, commit, insertRow, updateRow, deleteRow, insertState, updateState, deleteState,
    ] { statement.finalize() }
  }
}
