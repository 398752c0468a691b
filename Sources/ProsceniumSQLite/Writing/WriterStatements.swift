// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The statements of a store's writer.
struct WriterStatements: Sendable {
  let begin: SQLiteStatement
  let commit: SQLiteStatement
  let insertRow: SQLiteStatement
  let updateRow: SQLiteStatement
  let updateMark: SQLiteStatement
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
    updateMark = try connection.prepare(
      """
      UPDATE session SET epoch = ?2, last_activated = ?3, changed_at = ?4, version = ?5, code = ?6
      WHERE number = ?1
      """)
    deleteRow = try connection.prepare("DELETE FROM session WHERE number = ?1")
    insertState = try connection.prepare(
      "INSERT OR REPLACE INTO state(session, sealed) VALUES (?1, ?2)")
    updateState = try connection.prepare("UPDATE state SET sealed = ?2 WHERE session = ?1")
    deleteState = try connection.prepare("DELETE FROM state WHERE session = ?1")
  }

  /// Ends the statements.
  func finalize() {
    for statement in [
      begin, commit, insertRow, updateRow, updateMark, deleteRow, insertState, updateState,
      deleteState,
    ] { statement.finalize() }
  }
}
