// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The statements of the connection that writes.
struct WriterStatements: Sendable {
  let begin: SQLiteStatement
  let commit: SQLiteStatement
  let readSession: SQLiteStatement
  let writeSession: SQLiteStatement
  let deleteSession: SQLiteStatement
  let writeKey: SQLiteStatement
  let deleteKey: SQLiteStatement
  let writeStore: SQLiteStatement
  let writeConfiguration: SQLiteStatement
  let readSegment: SQLiteStatement
  let writeSegment: SQLiteStatement
  let deleteSegment: SQLiteStatement
  let readContents: SQLiteStatement
  let writeContents: SQLiteStatement
  let deleteContents: SQLiteStatement
  let readActivations: SQLiteStatement
  let writeActivation: SQLiteStatement
  let deleteActivations: SQLiteStatement

  /// Prepares them all.
  ///
  /// - Throws: What SQLite refuses.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    func parameters(_ count: Int) -> String {
      (1...count).map { "?\($0)" }.joined(separator: ", ")
    }
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    readSession = try connection.prepare(
      "SELECT \(StoredRow.columns) FROM session WHERE sid = ?1")
    writeSession = try connection.prepare(
      "INSERT OR REPLACE INTO session(\(StoredRow.columns)) VALUES (\(parameters(17)))")
    deleteSession = try connection.prepare("DELETE FROM session WHERE sid = ?1")
    writeKey = try connection.prepare(
      "INSERT OR REPLACE INTO session_key(\(KeyRow.columns)) VALUES (\(parameters(4)))")
    deleteKey = try connection.prepare("DELETE FROM session_key WHERE sid = ?1")
    writeStore = try connection.prepare(StoreRow.writing)
    writeConfiguration = try connection.prepare(
      "INSERT INTO configuration(\(ConfigurationRow.columns)) VALUES (\(parameters(7)))")
    readSegment = try connection.prepare("SELECT body FROM segment WHERE seg = ?1")
    writeSegment = try connection.prepare("INSERT INTO segment(seg, body) VALUES (?1, ?2)")
    deleteSegment = try connection.prepare("DELETE FROM segment WHERE seg = ?1")
    readContents = try connection.prepare("SELECT total, toc FROM segment_toc WHERE seg = ?1")
    writeContents = try connection.prepare(
      "INSERT OR REPLACE INTO segment_toc(seg, total, toc) VALUES (?1, ?2, ?3)")
    deleteContents = try connection.prepare("DELETE FROM segment_toc WHERE seg = ?1")
    let isBetween = "number >= ?1 AND number < ?2"
    readActivations = try connection.prepare(
      "SELECT \(ActivationRow.columns) FROM activation WHERE \(isBetween) ORDER BY number")
    writeActivation = try connection.prepare(
      "INSERT OR REPLACE INTO activation(\(ActivationRow.columns)) VALUES (\(parameters(4)))")
    deleteActivations = try connection.prepare("DELETE FROM activation WHERE \(isBetween)")
  }

  /// Ends them all.
  func finalize() {
    let all = [
      begin, commit, readSession, writeSession, deleteSession, writeKey, deleteKey, writeStore,
      writeConfiguration, readSegment, writeSegment, deleteSegment, readContents, writeContents,
      deleteContents, readActivations, writeActivation, deleteActivations,
    ]
    for statement in all { statement.finalize() }
  }
}
