// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The tables of a store.
enum StoreSchema {
  /// What marks a database as a store: `PSCN` in `PRAGMA application_id`.
  static let applicationIdentifier: Int64 = 0x5053_434E

  /// The version that this code reads and writes; `proscenium store upgrade` reads version 4.
  static let version: Int64 = 6

  /// The version that is brought to this one when a store is opened.
  static let migratedVersion: Int64 = 5

  /// The columns of each table, in the order in which they are read and bound.
  static let columns = [
    "store": StoreRow.columns, "configuration": ConfigurationTable.columns,
    "session": StoredRow.columns, "state": "session, sealed",
  ]

  /// Makes the tables: those of the version before, and what has changed since.
  static let tables = tablesBefore + "\n" + migration

  /// The tables of the version before.
  ///
  /// Times are seconds since 1970.
  private static let tablesBefore = """
    CREATE TABLE store(
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL, -- begun by the last load
      openings INTEGER NOT NULL,
      is_restoring INTEGER NOT NULL,
      key_check BLOB, -- recognises the application key
      next_key_check BLOB, -- the key that is being changed to
      created_at INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    CREATE TABLE configuration(
      number INTEGER PRIMARY KEY, role TEXT NOT NULL, name TEXT, delegate_class TEXT,
      scene_class TEXT, manifest_revision TEXT
    );
    CREATE TABLE session(
      number INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE, -- 16 bytes
      configuration INTEGER NOT NULL,
      group_name TEXT, title TEXT, subtitle TEXT,
      can_activate TEXT, prefers TEXT, -- predicates; NULL for the defaults
      destruction INTEGER NOT NULL, -- 1: dismissal by the user, 2: disconnection by the system
      last_activated INTEGER NOT NULL, -- a counter
      epoch INTEGER NOT NULL, -- of the last change
      is_discarded INTEGER NOT NULL, -- while no application was running
      next_wake INTEGER, -- in milliseconds since 1970
      created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
      version INTEGER NOT NULL, -- of the saved state; 0 for none
      key BLOB, -- the session's, under the application key; NULL if there was none
      code BLOB -- of everything before, under the session's key
    );
    CREATE TABLE state(
      session INTEGER PRIMARY KEY,
      sealed BLOB -- the version and the sealed state; NULL for none
    );
    """

  /// Makes the tables of this version of those of the version before.
  static let migration = """
    ALTER TABLE store ADD COLUMN running_time INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN owner TEXT;
    ALTER TABLE session ADD COLUMN last_used INTEGER;
    DROP VIEW IF EXISTS session_list;
    CREATE VIEW session_list AS SELECT
      lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
        || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS session,
      configuration.role AS role, configuration.name AS configuration, group_name, owner, title,
      subtitle, ifnull(can_activate, 'TRUEPREDICATE') AS can_activate,
      ifnull(prefers, 'FALSEPREDICATE') AS prefers,
      destruction, last_activated, epoch, is_discarded,
      datetime(next_wake / 1000, 'unixepoch') AS next_wake,
      ((SELECT running_time FROM store) - last_used) / 1000 AS seconds_unused,
      datetime(created_at, 'unixepoch') AS created, datetime(changed_at, 'unixepoch') AS changed
    FROM session LEFT JOIN configuration ON configuration.number = session.configuration;
    """

  /// Refuses a file whose tables cannot be read as those of a store.
  ///
  /// - Throws: `damaged` with what SQLite says.
  static func check(on connection: SQLiteConnection) throws(StoreError) {
    for (table, columns) in columns {
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
    try model.execute(tables)
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
