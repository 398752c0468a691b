// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A row of the table `session_key`.
struct KeyRow {
  var sid: SessionNumber
  var identifier: SessionIdentifier
  /// The session's key under the application key; empty if there was none when the row was made.
  var wrapped: [UInt8]

  /// The columns, in the order in which they are read and bound.
  static let columns = "sid, id, wrapped, checksum"

  init(sid: SessionNumber, identifier: SessionIdentifier, wrapped: [UInt8]) {
    self.sid = sid
    self.identifier = identifier
    self.wrapped = wrapped
  }

  /// Reads the row at which a statement over ``columns`` stands, or returns `nil` if it does not
  /// have its checksum.
  init?(_ statement: SQLiteStatement) {
    guard let identifier = statement.identifier(1) else { return nil }
    self.init(
      sid: SessionNumber(row: statement.integer(0)), identifier: identifier,
      wrapped: statement.bytes(2))
    guard checksum == statement.integer(3) else { return nil }
  }

  /// Binds all columns.
  func bind(to statement: SQLiteStatement) {
    statement.bind(sid.row, 1)
    statement.bind(identifier, 2)
    if wrapped.isEmpty { statement.bindNull(3) } else { statement.bind(wrapped, 3) }
    statement.bind(checksum, 4)
  }

  private var checksum: Int64 {
    var sum = RowChecksum(.sessionKey)
    sum.add(sid.row)
    sum.add(identifier)
    unsafe sum.add(wrapped.span.bytes)
    return sum.value
  }
}
