// SPDX-License-Identifier: Apache-2.0

public import Proscenium
public import ProsceniumSealing
public import ProsceniumStoring

/// Checks everything that a store keeps, without changing it, also while an application uses it.
///
/// It reads every page and row, and opens every saved state. No file is made or changed: the folder
/// may be one that cannot be written.
public enum StoreVerification: Sendable {
  /// Checks a store.
  ///
  /// Nothing else in the process may have the store open, other than a ``SQLiteSessionStore``.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - key: Where the application key comes from.
  ///   - progress: Is told how many sessions of how many were checked; from the beginning if a
  ///     program began to write to the store, so that it is checked again.
  /// - Returns: What was found.
  /// - Throws: A ``StoreError`` if the file cannot be used as a store at all: `unusable`,
  ///   `newerVersion`, `wrongKey`; whatever the provider throws; or what the system refuses.
  public static func run(
    _ path: String, key: any KeyProvider, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> StoreReport {
    try StoreView.retrying { () throws(StoreError) in
      // The log is looked at first: SQLite would take what is damaged in it for its end.
      let log = try damagedLog(of: path)
      let view = try StoreView(path, key: key)
      return try view.read { () throws(StoreError) in
        var verifier = try StoreVerifier(view)
        if let log { verifier.report.add(log) }
        try verifier.checkAll(progress)
        return verifier.report
      }
    }
  }

  private static func damagedLog(of path: String) throws(StoreError) -> StoreError? {
    guard let location = try? StoreLocation(path) else { return nil }
    let wasHeld = StoreLock.isHeld(location)
    let damage = try LogScan.damage(in: location.path, readsIndex: !wasHeld)
    // A program may have begun to write in between.
    if damage == nil || wasHeld || !StoreLock.isHeld(location) { return damage }
    return try LogScan.damage(in: location.path, readsIndex: false)
  }
}

/// Goes through a store for its verification.
private struct StoreVerifier {
  let view: StoreView
  let opener: SessionOpener
  var report = StoreReport()

  init(_ view: StoreView) throws(StoreError) {
    self.view = view
    guard let ring = view.ring else {
      throw StoreError(.keyUnavailable, "\(view.path): expected an application key, found none.")
    }
    opener = SessionOpener(ring, try ConfigurationTable(view.connection))
  }

  mutating func checkAll(_ progress: (Int, Int) -> Void) throws(StoreError) {
    try checkPages()
    if try !StoreSchema.isUnchanged(on: view.connection) {
      report.add("the description of the tables is not that of a store.")
    }
    if view.store == nil {
      report.add("the row of the table store does not have its checksum.")
    }
    if opener.configurations.hasGap {
      report.add("a part of the table configuration cannot be read.")
    }
    try checkSessions(progress)
    try checkIndex()
    try checkRest()
  }

  /// SQLite's own view.
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

  private mutating func checkSessions(_ progress: (Int, Int) -> Void) throws(StoreError) {
    let total = (try? view.connection.integer("SELECT count(*) FROM session NOT INDEXED")) ?? 0
    progress(0, Int(total))
    let reader = try StateReader(on: view.connection)
    defer { reader.finalize() }
    // The rows that a load sees; each is read as a whole below.
    var scan = try RowScan(
      StoredRow.columnsOfLoad, of: "session", by: "number", on: view.connection)
    defer { scan.finalize() }
    var predicates = PredicateCache()
    var report = report
    try scan.forEach(
      { (statement) throws(StoreError) in
        report.sessions += 1
        if report.sessions % 1_024 == 0 { progress(report.sessions, Int(total)) }
        guard let row = StoredRow(statement) else {
          return report.add("row \(statement.integer(0)) does not say whose it is.")
        }
        if let damage = row.row(opener.configurations, &predicates).damage { report.add(damage) }
        do throws(StoreError) {
          let found = try StoreError.naming(row.identifier) { () throws(StoreError) in
            try reader.find(row.identifier, in: nil)
          }
          guard let found, found.row.number == row.number else {
            throw row.damage("the index of the sessions does not have its row")
          }
          if row.version != 0 { report.states += 1 }
          report.stateBytes += found.sealed?.count ?? 0
          _ = try opener.open(found)
        } catch  where error.code == .damaged {
          report.add(error)
        }
      }, refused: { $0 })
    self.report = report
    progress(report.sessions, report.sessions)
    if scan.hasGap { self.report.add("a part of the table session cannot be read.") }
  }

  /// Sessions that the index has, and whose rows cannot be found.
  private mutating func checkIndex() throws(StoreError) {
    let statement = try view.connection.prepare(
      "SELECT number, id FROM session INDEXED BY sqlite_autoindex_session_1")
    defer { statement.finalize() }
    let row = try view.connection.prepare(
      "SELECT \(StoredRow.columns) FROM session WHERE number = ?1")
    defer { row.finalize() }
    // As a load looks at it: a row that cannot be read as a whole may still say whose it is.
    let name = try view.connection.prepare("SELECT number, id FROM session WHERE number = ?1")
    defer { name.finalize() }
    do throws(StoreError) {
      while try statement.step() {
        let session = statement.identifier(1)
        for look in [row, name] { look.bind(statement.integer(0), 1) }
        defer { for look in [row, name] { look.reset() } }
        if (try? row.step()) == true, row.identifier(1) == session { continue }
        let found = (try? name.step()) == true ? name.identifier(1) : nil
        report.add("its row is missing.", session: session)
        if let found {
          report.add("the index of the sessions does not have its row.", session: found)
        }
      }
    } catch  where error.code == .damaged {
      report.add("the index of the sessions cannot be read: \(error.message)")
    }
  }

  /// States of no session.
  private mutating func checkRest() throws(StoreError) {
    do throws(StoreError) {
      let count = try view.connection.integer(
        "SELECT count(*) FROM state WHERE session NOT IN (SELECT number FROM session)")
      if count > 0 { report.add("there are \(count) saved states of sessions that are not there.") }
    } catch  where error.code == .damaged {
      report.add("the table state cannot be read: \(error.message)")
    }
  }
}
