// SPDX-License-Identifier: Apache-2.0

public import Proscenium
public import ProsceniumSealing
import ProsceniumStoring

/// Looks into a store without changing it, also while an application uses it.
///
/// No file is made or changed: the folder may be one that cannot be written. A store that is in use
/// is seen as it was when the inspection began, however long that is used; until it ends, the log
/// of a store that is being written cannot begin again. A store that is not in use is seen until a
/// program opens it and writes to it for a while: from then on everything throws `inUse`. Sessions
/// are read as they are asked for, so that a large store needs no more memory than a small one.
public final class StoreInspection {
  /// One session, as the store keeps it.
  public struct Session: Sendable {
    /// Everything that the store keeps in the open, and what is wrong with it as far as that is
    /// seen without a key.
    public let row: SessionRow

    /// The epoch of the last change of the row.
    public let epoch: UInt32

    /// When the session was stored first, in seconds since 1970.
    public let createdAt: Int64

    /// When the row was changed last, in seconds since 1970.
    public let changedAt: Int64

    /// The saved state, or `nil` if none is kept.
    public let savedState: Record?
  }

  /// A saved state, as it is sealed.
  public struct Record: Sendable {
    /// The number of bytes of the encoded state.
    public let size: Int

    /// The epoch in which it was captured.
    public let epoch: UInt32
  }

  /// What the store comes to as a whole.
  public struct Totals: Sendable {
    /// The version of the store's tables.
    public let version: Int

    /// The epoch that the last load began, or `nil` if that is damaged.
    public let epoch: UInt32?

    /// When the store was made, in seconds since 1970, or `nil` if that is damaged.
    public let createdAt: Int64?

    /// Whether the application was restoring its state when it was last heard of, or `nil` if that
    /// is damaged.
    public let isRestoring: Bool?

    /// How many times the store was opened for writing, or `nil` if that is damaged.
    public let openings: Int?

    /// How many sessions there are.
    public let sessions: Int

    /// How many of them were discarded while no application was running.
    public let discarded: Int

    /// The size of the file in bytes.
    public let databaseBytes: Int

    /// The size of its log in bytes.
    public let logBytes: Int
  }

  private let view: StoreView
  private let reader: StateReader
  private let configurations: ConfigurationTable
  private let opener: SessionOpener?
  private var predicates = PredicateCache()

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - key: Where the application key comes from; without one no state can be opened.
  /// - Throws: `unusable` if there is no store; `newerVersion`; `wrongKey` if the key is not the
  ///   store's; whatever the provider throws; or what the system refuses.
  public init(_ path: String, key: (any KeyProvider)? = nil) throws(StoreError) {
    let view = try StoreView(path, key: key)
    self.view = view
    let table = try view.read { () throws(StoreError) in try ConfigurationTable(view.connection) }
    configurations = table
    reader = try StateReader(on: view.connection)
    opener = view.ring.map { SessionOpener($0, table) }
  }

  deinit {
    reader.finalize()
  }

  /// Counts what the store has.
  ///
  /// - Returns: The totals.
  /// - Throws: `damaged` if a table cannot be read, `inUse` if a program has begun to write to the
  ///   file, or what the system refuses.
  public func totals() throws(StoreError) -> Totals {
    try view.read { () throws(StoreError) in
      func count(_ condition: String) throws(StoreError) -> Int {
        Int(
          clamping: try view.connection.integer(
            "SELECT count(*) FROM session NOT INDEXED WHERE \(condition)"))
      }
      let sizes = view.fileSizes
      return Totals(
        version: Int(StoreSchema.version), epoch: view.store?.epoch,
        createdAt: view.store?.createdAt, isRestoring: view.store?.isRestoring,
        openings: view.store.map { Int(clamping: $0.openings) }, sessions: try count("true"),
        discarded: try count("is_discarded"), databaseBytes: sizes.database, logBytes: sizes.log)
    }
  }

  /// Calls a function with each session, in the order in which they were first stored.
  ///
  /// - Parameter body: Is given a session; an error of it ends the visit.
  /// - Returns: What is wrong with the store and concerns no session that was given.
  /// - Throws: What `body` throws, `inUse` if a program has begun to write to the file, or what the
  ///   system refuses.
  @discardableResult
  public func forEachSession(
    _ body: (Session) throws -> Void
  ) throws -> [StoreError] {
    var scan = try RowScan(StateReader.columns, of: "session", by: "number", on: view.connection)
    defer { scan.finalize() }
    var damage: [StoreError] = []
    try scan.forEach(
      { (statement) throws(any Error) in
        let session = try view.read { () throws(StoreError) -> Session? in
          self.session(at: statement)
        }
        if let session { return try body(session) }
        damage.append(
          StoreError(.damaged, "row \(statement.integer(0)) does not say whose it is."))
      }, refused: { $0 })
    if scan.hasGap {
      damage.append(StoreError(.damaged, "a part of the table session cannot be read."))
    }
    if configurations.hasGap {
      damage.append(StoreError(.damaged, "a part of the table configuration cannot be read."))
    }
    return damage
  }

  private func session(at statement: SQLiteStatement) -> Session? {
    guard let row = StoredRow(statement) else { return nil }
    let size = Int(statement.integer(StoredRow.columnCount))
    return Session(
      row: row.row(configurations, &predicates), epoch: row.epoch, createdAt: row.createdAt,
      changedAt: row.changedAt,
      savedState: row.version == 0
        ? nil
        : Record(
          size: max(0, size - RecordSealer.overhead),
          epoch: UInt32(truncatingIfNeeded: row.version >> 40)))
  }

  /// Looks up one session.
  ///
  /// - Parameter identifier: The session.
  /// - Returns: The session, or `nil` if it is not kept.
  /// - Throws: As ``totals()`` does.
  public func session(_ identifier: SessionIdentifier) throws(StoreError) -> Session? {
    try view.read { () throws(StoreError) in
      let statement = try view.connection.prepare(
        "SELECT \(StateReader.columns) FROM session WHERE id = ?1")
      defer { statement.finalize() }
      statement.bind(identifier, 1)
      return try statement.step() ? session(at: statement) : nil
    }
  }

  /// Opens the saved state of a session.
  ///
  /// - Parameter session: A session of this inspection.
  /// - Returns: What ``SavedState`` was encoded to, or `nil` if none is kept.
  /// - Throws: `damaged` if it, or what is kept in the open, is not what was written;
  ///   `keyUnavailable` if no key was given; `inUse` if a program has begun to write to the file,
  ///   or what the system refuses.
  public func savedState(of session: Session) throws(StoreError) -> [UInt8]? {
    let identifier = session.row.persistentIdentifier
    guard let opener else {
      if session.savedState == nil { return nil }
      throw StoreError(
        .keyUnavailable, session: identifier,
        "no application key was given to open its state with.")
    }
    return try view.read { () throws(StoreError) in
      guard let found = try reader.find(identifier, in: nil) else { return nil }
      return try opener.open(found)
    }
  }
}

@available(*, unavailable)
extension StoreInspection: Sendable {}
