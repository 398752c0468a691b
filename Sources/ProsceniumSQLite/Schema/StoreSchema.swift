// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The tables of a store, by version: each step makes the next version of the one before.
///
/// Steps go forward only. A file that is at a later version than the last step is refused.
enum StoreSchema {
  /// What marks a database as a store: `PSCN` in `PRAGMA application_id`.
  static let applicationIdentifier: Int64 = 0x5053_434E

  /// The number of bytes of a page.
  ///
  /// Larger pages than SQLite's default make fewer of a segment, and smaller ones make less of a
  /// commit of one state, which writes two.
  static let pageSize = 8_192

  /// The number of the page that a table begins with, which stays the same.
  ///
  /// - Throws: What SQLite refuses.
  static func firstPage(
    of table: String, on connection: SQLiteConnection
  ) throws(StoreError) -> Int64 {
    try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
  }

  /// What each step runs, in a transaction of its own.
  static let steps = [tables, list, wakes, activations]

  /// The version that this code reads and writes.
  static var version: Int64 { Int64(steps.count) }

  /// Version 1.
  ///
  /// Times are seconds since 1970. The checksums are those of ``RowChecksum``.
  private static let tables = """
    CREATE TABLE store(
      id INTEGER PRIMARY KEY CHECK (id = 1),
      epoch INTEGER NOT NULL, -- begun by the last load
      next_sequence INTEGER NOT NULL, -- of the next session; its row is sequence << 24 | slot
      next_opening INTEGER NOT NULL,
      is_restoring INTEGER NOT NULL,
      session_count INTEGER NOT NULL, -- of the rows in session, and their numbers joined by XOR:
      session_sum INTEGER NOT NULL, -- so that rows which vanish are noticed
      key_check BLOB, -- recognises the application key
      next_key_check BLOB, -- the key that is being changed to
      created_at INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    CREATE TABLE configuration(
      number INTEGER PRIMARY KEY, role TEXT NOT NULL, name TEXT, delegate_class TEXT,
      scene_class TEXT, manifest_revision TEXT, checksum INTEGER NOT NULL
    );
    CREATE TABLE session(
      sid INTEGER PRIMARY KEY, -- never used again
      id BLOB NOT NULL, -- 16 bytes
      configuration INTEGER NOT NULL,
      group_name TEXT, title TEXT, subtitle TEXT,
      can_activate TEXT, prefers TEXT, -- predicates; NULL for the defaults
      destruction INTEGER NOT NULL, -- 1: dismissal by the user, 2: disconnection by the system
      last_activated INTEGER NOT NULL, -- a counter
      epoch INTEGER NOT NULL, -- of the last change
      is_discarded INTEGER NOT NULL, -- while no application was running
      state_after INTEGER NOT NULL, -- saved states up to this version do not count any more
      created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    CREATE TABLE session_key(
      sid INTEGER PRIMARY KEY,
      id BLOB NOT NULL, -- once more, to name a session whose row is damaged
      wrapped BLOB, -- the session's key under the application key; NULL if there was none
      checksum INTEGER NOT NULL
    );
    CREATE TABLE opening(
      opening INTEGER PRIMARY KEY, salt BLOB NOT NULL, opened_at INTEGER NOT NULL,
      checksum INTEGER NOT NULL
    );
    CREATE TABLE opening_copy(
      opening INTEGER PRIMARY KEY, salt BLOB NOT NULL, checksum INTEGER NOT NULL
    );
    CREATE TABLE segment(seg INTEGER PRIMARY KEY, body BLOB NOT NULL); -- sealed saved states
    CREATE TABLE segment_toc(seg INTEGER PRIMARY KEY, total INTEGER NOT NULL, toc BLOB NOT NULL);
    """

  /// Version 2: what people look at.
  private static let list = sessionList("")

  /// Version 3: when the next wake of a session is due, in milliseconds since 1970.
  ///
  /// `NULL` for none does not count in the checksum, so that older rows keep theirs.
  private static let wakes = """
    ALTER TABLE session ADD COLUMN next_wake INTEGER;
    DROP VIEW session_list;

    """ + sessionList(nextWake)

  private static let nextWake = "\n  datetime(next_wake / 1000, 'unixepoch') AS next_wake,"

  /// Version 4: activations are appended, and the row of a session is not written for them.
  ///
  /// The row with the number 0 says which others there are.
  private static let activations = """
    CREATE TABLE activation(
      number INTEGER PRIMARY KEY, -- in their order; 0: sid is the first one, counter the next one
      sid INTEGER NOT NULL, counter INTEGER NOT NULL, checksum INTEGER NOT NULL
    );
    INSERT INTO activation VALUES (0, 1, 1, \(ActivationRow(directoryOf: 1..<1).checksum));
    DROP VIEW session_list;

    """
    + sessionList(
      nextWake, lastActivated: "max(last_activated, ifnull(last, 0)) AS last_activated",
      from: """

          LEFT JOIN (SELECT sid AS active, max(counter) AS last FROM activation
            WHERE number > 0 GROUP BY sid) ON active = session.sid
        """)

  private static func sessionList(
    _ more: String, lastActivated: String = "last_activated", from: String = ""
  ) -> String {
    """
    CREATE VIEW session_list AS SELECT
      lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
        || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS session,
      configuration.role AS role, configuration.name AS configuration, group_name, title, subtitle,
      ifnull(can_activate, 'TRUEPREDICATE') AS can_activate,
      ifnull(prefers, 'FALSEPREDICATE') AS prefers,
      destruction, \(lastActivated), epoch, is_discarded,\(more)
      datetime(created_at, 'unixepoch') AS created, datetime(changed_at, 'unixepoch') AS changed
    FROM session LEFT JOIN configuration ON configuration.number = session.configuration\(from);
    """
  }
}
