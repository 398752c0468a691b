// SPDX-License-Identifier: Apache-2.0

/// A row of the table `activation`: that a session became active, or which rows there are.
///
/// Activations are appended, and a session's row is left as it is: many sessions that become active
/// together have rows on many pages, each of which would be written for one number. What counts is
/// the greatest counter of a session, whether it stands here or in the session's row.
struct ActivationRow: Equatable {
  /// In the order of activations, without a gap; 0 for the row that says which others there are.
  var number: Int64
  var sid: SessionNumber
  /// The activation counter.
  var counter: Int64

  /// The columns, in the order in which they are read and bound.
  static let columns = "number, sid, counter, checksum"

  /// The number of the row that says which others there are.
  static let directory: Int64 = 0

  init(number: Int64, sid: SessionNumber, counter: Int64) {
    self.number = number
    self.sid = sid
    self.counter = counter
  }

  /// The row that says which others there are.
  init(directoryOf numbers: Range<Int64>) {
    number = Self.directory
    sid = SessionNumber(row: numbers.lowerBound)
    counter = numbers.upperBound
  }

  /// The numbers of the rows that a directory tells of.
  var numbers: Range<Int64>? {
    number == Self.directory && sid.row > 0 && counter >= sid.row ? sid.row..<counter : nil
  }

  /// Reads the row at which a statement over ``columns`` stands, or returns `nil` if it does not
  /// have its checksum.
  init?(_ statement: SQLiteStatement) {
    self.init(
      number: statement.integer(0), sid: SessionNumber(row: statement.integer(1)),
      counter: statement.integer(2))
    guard checksum == statement.integer(3) else { return nil }
  }

  /// Binds all columns.
  func bind(to statement: SQLiteStatement) {
    statement.bind(number, 1)
    statement.bind(sid.row, 2)
    statement.bind(counter, 3)
    statement.bind(checksum, 4)
  }

  /// The checksum that the row should have.
  var checksum: Int64 {
    var sum = RowChecksum(.activation)
    sum.add(number)
    sum.add(sid.row)
    sum.add(counter)
    return sum.value
  }
}
