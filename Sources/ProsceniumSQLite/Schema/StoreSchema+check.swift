// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension StoreSchema {
  /// Refuses a file whose tables cannot be read as those of a store.
  ///
  /// - Throws: `damaged` with what SQLite says.
  static func check(on connection: SQLiteConnection) throws(StoreError) {
    for (table, columns) in [
      ("store", StoreRow.columns), ("configuration", ConfigurationRow.columns),
      ("session", StoredRow.columns), ("session_key", KeyRow.columns),
      ("opening", OpeningRow.columns), ("opening_copy", OpeningRow.columns),
      ("segment", "seg, body"), ("segment_toc", "seg, total, toc"),
      ("activation", ActivationRow.columns),
    ] {
      do throws(StoreError) {
        try connection.prepare("SELECT \(columns) FROM \(table)").finalize()
      } catch {
        throw StoreError(
          error.code == .failed ? .damaged : error.code,
          "\(connection.path): expected the tables of a store, found damage: \(error.message)")
      }
    }
  }

  /// Whether the file describes its tables as this version does, to the letter.
  ///
  /// - Throws: What SQLite refuses.
  static func isUnchanged(on connection: SQLiteConnection) throws(StoreError) -> Bool {
    let model = try SQLiteConnection.openInMemory()
    defer { model.close() }
    for step in steps { try model.execute(step) }
    return try description(on: connection) == description(on: model)
  }

  private static func description(
    on connection: SQLiteConnection
  ) throws(StoreError) -> [[String?]] {
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
    defer { statement.finalize() }
    var rows: [[String?]] = []
    while try statement.step() { rows.append((0..<4).map { statement.text($0) }) }
    return rows
  }
}
