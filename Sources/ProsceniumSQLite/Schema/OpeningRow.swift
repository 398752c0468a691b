// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// One opening of the store: its number, and the random bytes from which its keys are derived.
///
/// It stands in two tables, because everything that was sealed in an opening is lost with it.
struct OpeningRow: Sendable {
  /// The number of random bytes.
  static let saltSize = 32

  /// The tables.
  static let tables = ["opening", "opening_copy"]

  /// The columns, in the order in which they are read.
  static let columns = "opening, salt, checksum"

  let number: UInt64
  let salt: [UInt8]

  /// By what an opening of this process is known: some of its random bytes.
  let mark: UInt64

  init(number: UInt64, salt: [UInt8]) {
    self.number = number
    self.salt = salt
    mark = salt.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads the row at which a statement over ``columns`` stands, or returns `nil` if it does not
  /// have its checksum.
  init?(_ statement: SQLiteStatement) {
    self.init(number: UInt64(bitPattern: statement.integer(0)), salt: statement.bytes(1))
    guard checksum == statement.integer(2) else { return nil }
  }

  /// Reads an opening, from whichever table has it with its checksum.
  ///
  /// - Returns: The opening, or `nil` if there is none.
  /// - Throws: What SQLite refuses, other than damage.
  static func read(
    _ number: UInt64, on connection: SQLiteConnection
  ) throws(StoreError) -> OpeningRow? {
    for table in tables {
      let statement = try connection.prepare(
        "SELECT \(columns) FROM \(table) WHERE opening = ?1")
      defer { statement.finalize() }
      statement.bind(Int64(bitPattern: number), 1)
      do throws(StoreError) {
        guard try statement.step() else { continue }
      } catch  where error.code == .damaged {
        continue
      }
      if let row = OpeningRow(statement) { return row }
    }
    return nil
  }

  /// Writes the opening, in the transaction that is open.
  ///
  /// - Throws: What SQLite refuses.
  func write(at time: Int64, on connection: SQLiteConnection) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT OR REPLACE INTO opening(opening, salt, opened_at, checksum) VALUES (?1, ?2, ?3, ?4)")
    defer { statement.finalize() }
    statement.bind(Int64(bitPattern: number), 1)
    statement.bind(salt, 2)
    statement.bind(time, 3)
    statement.bind(checksum, 4)
    try statement.run()
    let copy = try connection.prepare(
      "INSERT OR REPLACE INTO opening_copy(opening, salt, checksum) VALUES (?1, ?2, ?3)")
    defer { copy.finalize() }
    copy.bind(Int64(bitPattern: number), 1)
    copy.bind(salt, 2)
    copy.bind(checksum, 3)
    try copy.run()
  }

  private var checksum: Int64 {
    var sum = RowChecksum(.opening)
    sum.add(number)
    unsafe sum.add(salt.span.bytes)
    return sum.value
  }
}
