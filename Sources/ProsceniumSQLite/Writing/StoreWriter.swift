// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import ProsceniumStoring
import Synchronization

/// The one who writes to a store, on the thread of its connection.
struct StoreWriter: Sendable {
  let connection: SQLiteConnection
  let parts: StoreParts
  let statements: WriterStatements
  let reader: StateReader

  /// The row of the table `store`, as it is in the file.
  var store: StoreRow

  /// What is wrong with the store as a whole, until a load tells it.
  var damage: [StoreError]

  /// The number of the last session's row.
  var lastNumber: Int64

  /// The activations that are not written yet.
  var recency = Recency()

  /// A sum over the rows that a load has read.
  private var readSum: UInt64 = 0

  /// Whether keys were destroyed that may still be in the log.
  var logHasDestroyedKeys = false

  private(set) var isClosed = false

  /// Takes over a file that was opened.
  ///
  /// - Throws: What SQLite refuses.
  init(
    _ connection: SQLiteConnection, _ parts: StoreParts, _ opened: OpenedStore
  ) throws(StoreError) {
    self.connection = connection
    self.parts = parts
    store = opened.store
    damage = opened.damage
    // A damaged end of the table is refused by the first insertion.
    lastNumber = (try? connection.integer("SELECT max(number) FROM session")) ?? 0
    statements = try WriterStatements(connection)
    reader = try StateReader(on: connection)
    let configurations = try ConfigurationTable(connection)
    parts.configurations.withLock { $0 = configurations }
  }

  /// Makes sure that the store is open.
  ///
  /// - Throws: `failed` if it is closed.
  func requireOpen() throws(StoreError) {
    guard !isClosed else {
      throw StoreError(.failed, "\(parts.path): expected an open store, found it closed.")
    }
  }

  /// Writes the activations that wait, brings the log into the database, and ends the statements.
  ///
  /// - Throws: What SQLite refuses.
  mutating func close() throws(StoreError) {
    guard !isClosed else { return }
    try? writeRecency()
    isClosed = true
    statements.finalize()
    reader.finalize()
    _ = try connection.checkpoint(.truncating)
  }

  /// Runs work in a transaction, all or nothing.
  ///
  /// - Throws: What the work throws, or what SQLite refuses.
  mutating func transaction<Success>(
    _ work: (inout StoreWriter) throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    try statements.begin.run()
    do throws(StoreError) {
      let result = try work(&self)
      try statements.commit.run()
      return result
    } catch {
      connection.rollBack()
      // Those that were numbered in the transaction are not there.
      if let table = try? ConfigurationTable(connection) {
        parts.configurations.withLock { $0 = table }
      }
      throw error
    }
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  ///
  /// - Throws: What SQLite refuses.
  mutating func setRestoring(_ isRestoring: Bool) throws(StoreError) {
    guard store.isRestoring != isRestoring else { return }
    var changed = store
    changed.isRestoring = isRestoring
    try changed.write(on: connection)
    store = changed
  }

  /// Notes how many milliseconds applications have run on the store.
  ///
  /// - Throws: What SQLite refuses.
  mutating func setRunningTime(_ milliseconds: Int64, epoch: UInt32) throws(StoreError) {
    guard epoch >= store.epoch, store.runningTime != milliseconds else { return }
    var changed = store
    changed.runningTime = milliseconds
    try changed.write(on: connection)
    store = changed
  }

  // MARK: - Loading

  /// Takes the store over: a new epoch begins.
  ///
  /// - Throws: What SQLite refuses.
  mutating func beginLoad() throws(StoreError) {
    try writeRecency()
    let configurations = try ConfigurationTable(connection)
    parts.configurations.withLock { $0 = configurations }
    readSum = 0
    if configurations.hasGap { damage.append(gap("configuration")) }
    var changed = store
    guard changed.epoch < 1 << 24 - 1 else {
      throw StoreError(.limitExceeded, "\(parts.path): the store was loaded too often.")
    }
    changed.epoch += 1
    try changed.write(on: connection)
    store = changed
  }

  /// Reads rows of sessions.
  ///
  /// - Parameters:
  ///   - next: The number to begin with; afterwards that of the row to go on with, or `nil`.
  ///   - limit: How many rows are read at most.
  ///   - predicates: What was read before.
  /// - Returns: The rows that could be read, in the order of their numbers.
  /// - Throws: What SQLite refuses, other than damage.
  mutating func readRows(
    from next: inout Int64?, limit: Int, _ predicates: inout PredicateCache
  ) throws(StoreError) -> [SessionRow] {
    guard let first = next else { return [] }
    let configurations = parts.configurations.withLock { $0 }
    var scan = try RowScan(StoredRow.columnsOfLoad, of: "session", by: "number", on: connection)
    defer { scan.finalize() }
    var rows: [SessionRow] = []
    var nameless: [Int64] = []
    var sum = readSum
    next = try scan.forEach(
      from: first, limit: limit,
      { (statement) throws(StoreError) in
        sum ^= Self.sum(statement.integer(0), statement.identifier(1))
        if let row = StoredRow(statement) {
          rows.append(row.row(configurations, &predicates))
        } else {
          nameless.append(statement.integer(0))
        }
      }, refused: { $0 })
    readSum = sum
    for number in nameless {
      damage.append(
        StoreError(.damaged, "row \(number) of the table session does not say whose it is."))
    }
    if scan.hasGap { damage.append(gap("session")) }
    return rows
  }

  private func gap(_ table: String) -> StoreError {
    StoreError(.damaged, "\(parts.path): a part of the table \(table) cannot be read.")
  }

  /// Names the sessions of which the index and the rows that were read do not tell the same.
  private mutating func checkIndex() throws(StoreError) {
    let statement = try connection.prepare(
      "SELECT number, id FROM session INDEXED BY sqlite_autoindex_session_1")
    defer { statement.finalize() }
    var sum: UInt64 = 0
    while try statement.step() { sum ^= Self.sum(statement.integer(0), statement.identifier(1)) }
    if sum == readSum { return }
    let row = try connection.prepare("SELECT number, id FROM session WHERE number = ?1")
    defer { row.finalize() }
    while try statement.step() {
      row.bind(statement.integer(0), 1)
      let found = try row.step() ? row.identifier(1) : nil
      row.reset()
      for session in Set([statement.identifier(1), found]) where found != statement.identifier(1) {
        guard let session else { continue }
        damage.append(
          StoreError(
            .damaged, session: session, "the index of the sessions and its row do not agree."))
      }
    }
  }

  /// A part of a sum over all sessions, in any order.
  private static func sum(_ number: Int64, _ session: SessionIdentifier?) -> UInt64 {
    var hasher = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    hasher = (hasher ^ (session?.high ?? 1)) &* 0xD6E8_FEB8_6659_FD93
    hasher = (hasher ^ hasher >> 32 ^ (session?.low ?? 1)) &* 0x2545_F491_4F6C_DD1D
    return hasher ^ hasher >> 29
  }

  /// What a load has come to.
  mutating func finishLoad() -> StoreLoad {
    do throws(StoreError) {
      try checkIndex()
    } catch {
      damage.append(error)
    }
    parts.isLoaded.store(true, ordering: .releasing)
    // The pages of what was read once are of no use any more.
    try? connection.execute("PRAGMA shrink_memory")
    defer { damage = [] }
    return StoreLoad(
      epoch: store.epoch, isRestoring: store.isRestoring, runningTime: store.runningTime,
      damage: damage)
  }
}

/// The statements of a store's writer.
struct WriterStatements: Sendable {
  let begin: SQLiteStatement
  let commit: SQLiteStatement
  let insertRow: SQLiteStatement
  let updateRow: SQLiteStatement
  let updateMark: SQLiteStatement
  let deleteRow: SQLiteStatement
  let insertState: SQLiteStatement
  let updateState: SQLiteStatement
  let deleteState: SQLiteStatement

  /// Prepares the statements.
  ///
  /// - Throws: What SQLite refuses.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    insertRow = try connection.prepare(StoredRow.insertion)
    updateRow = try connection.prepare(StoredRow.updating)
    updateMark = try connection.prepare(
      """
      UPDATE session SET epoch = ?2, last_activated = ?3, changed_at = ?4, version = ?5, code = ?6
      WHERE number = ?1
      """)
    deleteRow = try connection.prepare("DELETE FROM session WHERE number = ?1")
    insertState = try connection.prepare(
      "INSERT OR REPLACE INTO state(session, sealed) VALUES (?1, ?2)")
    updateState = try connection.prepare("UPDATE state SET sealed = ?2 WHERE session = ?1")
    deleteState = try connection.prepare("DELETE FROM state WHERE session = ?1")
  }

  /// Ends the statements.
  func finalize() {
    for statement in [
      begin, commit, insertRow, updateRow, updateMark, deleteRow, insertState, updateState,
      deleteState,
    ] { statement.finalize() }
  }
}

/// A draft of a session, and what is at hand of it while it is written.
struct WrittenDraft: Sendable {
  var draft: SessionDraft
  /// What is at hand of it, before it is written and afterwards.
  var entry: SessionKeys.Entry?
  /// Whether its key waits for being written.
  var isPending = false

  init(_ draft: SessionDraft) {
    self.draft = draft
  }
}
