// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Goes through a table in the order of its rows' numbers, and past what is damaged in it.
struct RowScan {
  private let statement: SQLiteStatement

  /// Whether something could not be read.
  private(set) var hasGap = false

  /// Prepares a scan.
  ///
  /// - Parameters:
  ///   - columns: What is selected; the row's number has to be the first column.
  ///   - table: The table.
  ///   - key: The column with the row's number.
  ///   - connection: The connection.
  /// - Throws: What SQLite refuses.
  init(
    _ columns: String, of table: String, by key: String, on connection: SQLiteConnection
  ) throws(StoreError) {
    statement = try connection.prepare(
      "SELECT \(columns) FROM \(table) WHERE \(key) >= ?1 ORDER BY \(key)")
  }

  /// Ends the scan for good.
  func finalize() {
    statement.finalize()
  }

  /// Calls a function with the statement at each row that can be read, in ascending order.
  ///
  /// - Parameters:
  ///   - start: The number to begin with.
  ///   - limit: After how many rows to stop.
  ///   - body: The function.
  ///   - refused: Makes an error of what SQLite refuses.
  /// - Returns: The number to go on with, or `nil` at the end of the table.
  /// - Throws: What the function throws, or what SQLite refuses other than damage.
  @discardableResult
  mutating func forEach<Failure: Error>(
    from start: Int64 = .min, limit: Int = .max,
    _ body: (SQLiteStatement) throws(Failure) -> Void, refused: (StoreError) -> Failure
  ) throws(Failure) -> Int64? {
    var (next, left) = (start, limit)
    while true {
      statement.bind(next, 1)
      switch try run(from: next, &left, body, refused) {
      case .end: return nil
      case .limit(let last): return last == .max ? nil : last + 1
      case .damage(let last):
        hasGap = true
        guard let start = readable(after: last) else { return nil }
        next = start
      }
    }
  }

  /// Why no more rows were read, with the last number that was passed.
  private enum Stop {
    case end
    case limit(Int64)
    case damage(Int64)
  }

  /// Goes as far as rows can be read.
  private func run<Failure: Error>(
    from start: Int64, _ left: inout Int, _ body: (SQLiteStatement) throws(Failure) -> Void,
    _ refused: (StoreError) -> Failure
  ) throws(Failure) -> Stop {
    defer { statement.reset() }
    var last = start
    var isFirst = true
    while true {
      do throws(StoreError) {
        guard try statement.step() else { return .end }
      } catch  where error.code == .damaged {
        return .damage(last)
      } catch {
        throw refused(error)
      }
      let number = statement.integer(0)
      // A damaged tree can lead back to where the scan has been.
      guard isFirst ? number >= last : number > last else { return .damage(last) }
      (last, isFirst) = (number, false)
      try body(statement)
      left -= 1
      if left == 0 { return .limit(last) }
    }
  }

  /// Finds the first number after a damaged place from which rows can be read again.
  private func readable(after last: Int64) -> Int64? {
    var (failing, step) = (last, Int64(1))
    while true {
      let (start, overflows) = last.addingReportingOverflow(step)
      if overflows { return nil }
      if canRead(from: start) { return bisect(failing, start) }
      failing = start
      if step > Int64.max / 2 { return nil }
      step *= 2
    }
  }

  private func bisect(_ failing: Int64, _ readable: Int64) -> Int64 {
    var (low, high) = (failing, readable)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if canRead(from: middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// Whether there is a row at or after a number, and it can be read.
  private func canRead(from start: Int64) -> Bool {
    statement.bind(start, 1)
    defer { statement.reset() }
    guard (try? statement.step()) == true else { return false }
    return statement.integer(0) >= start
  }
}
