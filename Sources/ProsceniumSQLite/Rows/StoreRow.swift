// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The one row of the table `store`.
struct StoreRow: Sendable {
  /// The epoch that the last load began.
  var epoch: UInt32 = 0
  /// How many times the store was opened.
  var openings: Int64 = 0
  /// Whether the program was restoring its state when it was last heard of.
  var isRestoring = false
  /// Recognises the application key; empty until there was one.
  var keyCheck: [UInt8] = []
  /// Recognises the application key to which the sessions' keys are being changed; empty otherwise.
  var nextKeyCheck: [UInt8] = []
  /// How many milliseconds applications have run on the store.
  var runningTime: Int64 = 0
  /// When the store was made, in seconds since 1970.
  var createdAt: Int64

  static let columns =
    "epoch, openings, is_restoring, key_check, next_key_check, created_at, checksum, running_time"

  /// What a new store has.
  init(createdAt: Int64) {
    self.createdAt = createdAt
  }

  /// Reads the row.
  ///
  /// - Returns: The row, or `nil` if it is not there or does not have its checksum.
  /// - Throws: What SQLite refuses; a damaged page is an absent row.
  static func read(on connection: SQLiteConnection) throws(StoreError) -> StoreRow? {
    let statement = try connection.prepare("SELECT \(columns) FROM store WHERE id = 1")
    defer { statement.finalize() }
    do throws(StoreError) {
      guard try statement.step() else { return nil }
    } catch  where error.code == .damaged {
      return nil
    }
    var row = StoreRow(createdAt: statement.integer(5))
    row.epoch = UInt32(truncatingIfNeeded: statement.integer(0))
    row.openings = statement.integer(1)
    row.isRestoring = statement.integer(2) != 0
    row.keyCheck = statement.bytes(3)
    row.nextKeyCheck = statement.bytes(4)
    row.runningTime = statement.integer(7)
    return row.checksum == statement.integer(6) ? row : nil
  }

  /// Writes the row.
  ///
  /// - Throws: What SQLite refuses.
  func write(on connection: SQLiteConnection) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT OR REPLACE INTO store(id, \(Self.columns)) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
    )
    defer { statement.finalize() }
    statement.bind(Int64(epoch), 1)
    statement.bind(openings, 2)
    statement.bind(isRestoring ? 1 : 0, 3)
    statement.bind(orNull: keyCheck, 4)
    statement.bind(orNull: nextKeyCheck, 5)
    statement.bind(createdAt, 6)
    statement.bind(checksum, 7)
    statement.bind(runningTime, 8)
    try statement.run()
  }

  private var checksum: Int64 {
    var message = RowMessage()
    message.add(epoch)
    message.add(openings)
    message.add(UInt8(isRestoring ? 1 : 0))
    message.add(keyCheck)
    message.add(nextKeyCheck)
    message.add(createdAt)
    // A store of the version before has none.
    if runningTime != 0 { message.add(runningTime) }
    return message.checksum
  }
}
