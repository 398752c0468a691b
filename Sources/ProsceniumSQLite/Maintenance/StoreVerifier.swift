// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Goes through a store for its verification.
struct StoreVerifier {
  let view: StoreView
  let opener: RecordOpener
  var reader: RowReader
  var report = StoreReport()

  /// The sessions in ascending order of their numbers.
  var sessions: [CheckedSession] = []
  var sessionCensus = SegmentContents.Census()

  /// The newest record of each session.
  var newest = LoadedRecords()
  var segmentCensus = SegmentContents.Census()

  /// What the newest sound table of contents says of all segments.
  var newestCensus: SegmentContents.Census?

  /// Records that cannot be opened; whether they count is known in the end.
  var refused: [RefusedRecord] = []

  /// A session whose row was read.
  struct CheckedSession {
    let sid: SessionNumber
    let identifier: SessionIdentifier
    let stateAfter: UInt64
  }

  /// A record that cannot be opened.
  struct RefusedRecord {
    let entry: SegmentContents.Entry
    let error: StoreError
  }

  init(_ path: String, _ key: any KeyProvider) throws(StoreError) {
    view = try StoreView(path, key: key)
    guard let ring = view.ring else {
      throw StoreError(.keyUnavailable, "\(path): expected an application key, found none.")
    }
    opener = try RecordOpener(ring, on: view.connection)
    reader = try RowReader(view.connection)
  }

  mutating func checkAll(_ progress: (Int, Int) -> Void) throws(StoreError) {
    try checkPages()
    if try !StoreSchema.isUnchanged(on: view.connection) {
      report.add("the description of the tables is not that of a store.")
    }
    if view.store == nil {
      report.add("the row of the table store does not have its checksum.")
    }
    for error in reader.damage { report.add(error) }
    try checkOpenings()
    try checkSessions()
    try checkKeys()
    try checkSegments(progress)
    try checkCensus()
    judgeRefusedRecords()
  }

  // MARK: - SQLite's own view

  private mutating func checkPages() throws(StoreError) {
    let statement = try view.connection.prepare("PRAGMA integrity_check(100)")
    defer { statement.finalize() }
    do throws(StoreError) {
      while try statement.step() {
        let text = statement.text(0) ?? ""
        if text != "ok" { report.add("SQLite's check of the file: \(text)") }
      }
    } catch  where error.code == .damaged {
      report.add("SQLite's check of the file: \(error.message)")
    }
  }

  // MARK: - Small tables

  private mutating func checkOpenings() throws(StoreError) {
    var last: UInt64 = 0
    for table in OpeningRow.tables {
      var scan = try RowScan(OpeningRow.columns, of: table, by: "opening", on: view.connection)
      defer { scan.finalize() }
      var found: [String] = []
      try scan.forEach(
        { (statement) throws(StoreError) in
          if let row = OpeningRow(statement) {
            last = max(last, row.number)
          } else {
            found.append(
              "the row of opening \(statement.integer(0)) in \(table) does not have its checksum.")
          }
        }, refused: { $0 })
      if scan.hasGap { found.append("a part of the table \(table) cannot be read.") }
      for message in found { report.add(message) }
    }
    if let store = view.store, store.nextOpening <= last {
      report.add(
        "the row of the table store is older than the rest: its next opening is"
          + " \(store.nextOpening), and there is an opening \(last).")
    }
  }

  private func checkCensus(
    _ name: String, _ found: SegmentContents.Census, _ expected: SegmentContents.Census
  ) -> String? {
    if found == expected || expected.count < 0 { return nil }
    return found.count == expected.count
      ? "the store should have other \(name) than it has."
      : "the store should have \(expected.count) \(name), and has \(found.count)."
  }

  private mutating func checkCensus() throws(StoreError) {
    if let store = view.store,
      let message = checkCensus("sessions", sessionCensus, store.census)
    {
      report.add(message)
    }
    if let expected = newestCensus,
      let message = checkCensus("segments", segmentCensus, expected)
    {
      report.add(message)
    }
  }

  // MARK: - The end

  private mutating func judgeRefusedRecords() {
    for record in refused {
      let session = session(of: record.entry.sid)
      let isNewest = newest.newest(of: record.entry.sid)?.version == record.entry.version
      if let session, isNewest, record.entry.version > session.stateAfter {
        report.add("its saved state: \(record.error.message)", session: session.identifier)
      } else {
        report.add("a saved state that does not count any more: \(record.error.message)")
      }
    }
  }

  /// The session with a number.
  func session(of sid: SessionNumber) -> CheckedSession? {
    var (low, high) = (0, sessions.count)
    while low < high {
      let middle = low + (high - low) / 2
      if sessions[middle].sid.rawValue < sid.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < sessions.count && sessions[low].sid == sid ? sessions[low] : nil
  }
}
