// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The one row of the table `store`.
struct StoreRow: Sendable {
  /// The epoch that the last load began.
  var epoch: UInt32 = 0
  /// The sequence of the next session.
  var nextSequence: UInt64 = 1
  /// The number of the next opening.
  var nextOpening: UInt64 = 1
  /// Whether the program was restoring its state when it was last heard of.
  var isRestoring = false
  /// The rows in `session`.
  var census = SegmentContents.Census()
  /// Recognises the application key; empty until there was one.
  var keyCheck: [UInt8] = []
  /// Recognises the application key to which the sessions' keys are being changed; empty otherwise.
  var nextKeyCheck: [UInt8] = []
  /// When the store was made, in seconds since 1970.
  var createdAt: Int64

  /// The columns, in the order in which they are read.
  static let columns = """
    epoch, next_sequence, next_opening, is_restoring, session_count, session_sum, key_check,
    next_key_check, created_at, checksum
    """

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
    let row = StoreRow(statement)
    return row.checksum == statement.integer(9) ? row : nil
  }

  private init(_ statement: SQLiteStatement) {
    epoch = UInt32(truncatingIfNeeded: statement.integer(0))
    nextSequence = UInt64(bitPattern: statement.integer(1))
    nextOpening = UInt64(bitPattern: statement.integer(2))
    isRestoring = statement.integer(3) != 0
    census.count = statement.integer(4)
    census.sum = statement.integer(5)
    keyCheck = statement.bytes(6)
    nextKeyCheck = statement.bytes(7)
    createdAt = statement.integer(8)
  }

  /// Writes the row, in the transaction that is open.
  ///
  /// - Throws: What SQLite refuses.
  func write(with statement: SQLiteStatement) throws(StoreError) {
    statement.bind(Int64(epoch), 1)
    statement.bind(Int64(bitPattern: nextSequence), 2)
    statement.bind(Int64(bitPattern: nextOpening), 3)
    statement.bind(isRestoring ? 1 : 0, 4)
    statement.bind(census.count, 5)
    statement.bind(census.sum, 6)
    if keyCheck.isEmpty { statement.bindNull(7) } else { statement.bind(keyCheck, 7) }
    if nextKeyCheck.isEmpty { statement.bindNull(8) } else { statement.bind(nextKeyCheck, 8) }
    statement.bind(createdAt, 9)
    statement.bind(checksum, 10)
    try statement.run()
  }

  /// The statement that ``write(with:)`` runs.
  static let writing = """
    INSERT OR REPLACE INTO store(id, epoch, next_sequence, next_opening, is_restoring,
      session_count, session_sum, key_check, next_key_check, created_at, checksum)
    VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """

  private var checksum: Int64 {
    var sum = RowChecksum(.store)
    sum.add(UInt64(epoch) << 1 | (isRestoring ? 1 : 0))
    sum.add(nextSequence)
    sum.add(nextOpening)
    sum.add(census.count)
    sum.add(census.sum)
    unsafe sum.add(keyCheck.span.bytes)
    unsafe sum.add(nextKeyCheck.span.bytes)
    sum.add(createdAt)
    return sum.value
  }
}
