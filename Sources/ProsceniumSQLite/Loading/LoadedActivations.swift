// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The last activation of each session that the table `activation` tells of.
struct LoadedActivations {
  /// The last one of the session in a slot: 16 bytes.
  private struct Last {
    var sid = SessionNumber(rawValue: 0)
    var counter: Int64 = 0
  }

  private var last: ContiguousArray<Last> = []

  /// The numbers of the rows.
  private(set) var numbers: Range<Int64> = 1..<1

  /// What is wrong with the table, if anything is.
  private(set) var damage: [String] = []

  /// Whether the table is as it should be, or was made again.
  private(set) var isSound = true

  init() {}

  /// Reads the table.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    var scan = try RowScan(
      ActivationRow.columns, of: "activation", by: "number", on: connection)
    defer { scan.finalize() }
    var expected: Range<Int64>?
    var found: Range<Int64>?
    var count: Int64 = 0
    var wrong: [Int64] = []
    try scan.forEach(
      { (statement) throws(StoreError) in
        let number = statement.integer(0)
        guard let row = ActivationRow(statement) else { return wrong.append(number) }
        if number == ActivationRow.directory { return expected = row.numbers }
        count += 1
        found = (found?.lowerBound ?? number)..<number + 1
        take(row)
      }, refused: { $0 })
    numbers = expected ?? found ?? 1..<1
    if let found {
      numbers =
        min(numbers.lowerBound, found.lowerBound)..<max(numbers.upperBound, found.upperBound)
    }
    if scan.hasGap || !wrong.isEmpty || expected != numbers || count != Int64(numbers.count) {
      isSound = false
      damage.append(
        "a part of the table activation is damaged: sessions may have become active later than they"
          + " are said to have.")
    }
  }

  /// The counter of a session's last activation; `nil` if there is none.
  func counter(of sid: SessionNumber) -> Int64? {
    guard sid.slot < last.count, last[sid.slot].sid == sid else { return nil }
    return last[sid.slot].counter
  }

  /// The last activation of each session.
  var all: [CommitDraft.Activation] {
    last.filter(\.sid.isValid).map { CommitDraft.Activation(sid: $0.sid, counter: $0.counter) }
  }

  /// Notes that the table was made again.
  mutating func noteRepair(_ numbers: Range<Int64>) {
    self.numbers = numbers
    isSound = true
  }

  private mutating func take(_ row: ActivationRow) {
    guard row.sid.isValid else { return }
    let slot = row.sid.slot
    if slot >= last.count {
      let count = max(slot + 1, last.count * 2)
      last.append(contentsOf: repeatElement(Last(), count: count - last.count))
    }
    // A slot that another session has had since is its last one's.
    guard (last[slot].sid.rawValue, last[slot].counter) < (row.sid.rawValue, row.counter) else {
      return
    }
    last[slot] = Last(sid: row.sid, counter: row.counter)
  }
}
