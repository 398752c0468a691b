// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension StoreVerifier {
  /// Checks the rows of sessions.
  mutating func checkSessions() throws(StoreError) {
    var scan = try RowScan(StoredRow.columns, of: "session", by: "sid", on: view.connection)
    defer { scan.finalize() }
    var (reader, report, sessions) = (reader, report, sessions)
    var census = sessionCensus
    try scan.forEach(
      { (statement) throws(StoreError) in
        let (stored, row) = reader.read(statement)
        report.sessions += 1
        census.add(stored.sid.row)
        if let damage = row.damage { report.add(damage) }
        sessions.append(
          CheckedSession(
            sid: stored.sid, identifier: stored.identifier, stateAfter: stored.stateAfter))
      }, refused: { $0 })
    if scan.hasGap { report.add("a part of the table session cannot be read.") }
    (self.reader, self.report, self.sessions) = (reader, report, sessions)
    sessionCensus = census
    checkUniqueness()
  }

  private mutating func checkUniqueness() {
    let identifiers = sessions.map(\.identifier).sorted()
    for (left, right) in zip(identifiers, identifiers.dropFirst()) where left == right {
      report.add("two rows have its identifier.", session: left)
    }
  }

  /// Checks the rows of keys against those of sessions.
  mutating func checkKeys() throws(StoreError) {
    var scan = try RowScan(KeyRow.columns, of: "session_key", by: "sid", on: view.connection)
    defer { scan.finalize() }
    var report = report
    // Both tables are in the order of the sessions' numbers.
    var next = 0
    try scan.forEach(
      { (statement) throws(StoreError) in
        let sid = SessionNumber(row: statement.integer(0))
        report.keys += 1
        while next < sessions.count, sessions[next].sid.row < sid.row {
          report.add("its key is missing.", session: sessions[next].identifier)
          next += 1
        }
        let session = next < sessions.count && sessions[next].sid == sid ? sessions[next] : nil
        if session != nil { next += 1 }
        if let message = try check(statement, of: session) {
          report.add(message, session: session?.identifier ?? statement.identifier(1))
        }
      }, refused: { $0 })
    for session in sessions[next...] {
      report.add("its key is missing.", session: session.identifier)
    }
    if scan.hasGap { report.add("a part of the table session_key cannot be read.") }
    self.report = report
  }

  /// Checks the row of a key.
  ///
  /// - Returns: What is wrong with it, if anything is.
  /// - Throws: What SQLite refuses, other than damage.
  private func check(
    _ statement: SQLiteStatement, of session: CheckedSession?
  ) throws(StoreError) -> String? {
    guard let session else { return "there is a key for it, and no row." }
    guard let row = KeyRow(statement) else {
      return "the row of its key does not have its checksum."
    }
    if row.identifier != session.identifier {
      return "the key in its place is that of the session \(row.identifier)."
    }
    // Looked up as a session does: the way to a row can be damaged that a scan does not take.
    switch try opener.key(of: session.sid) {
    case .known: return nil
    case .destroyed: return "its key is not found by its number."
    // A session that was stored while there was no application key has none either.
    case .refused(let error): return row.wrapped.isEmpty ? nil : error.message
    }
  }
}
