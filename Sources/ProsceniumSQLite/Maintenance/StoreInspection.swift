// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// Looks into a store without changing it, also while an application uses it.
///
/// No file is made or changed: the folder may be one that cannot be written. A store that is in use
/// is seen as it was when the inspection began, however long that is used; meanwhile the log of a
/// store that is being written cannot begin anew. A store that nobody uses is seen until a program
/// opens it and writes to it for a while: from then on everything throws `inUse`. Sessions are read
/// as they are asked for, so that a large store needs no more memory than a small one.
public final class StoreInspection {
  /// One session, as the store keeps it.
  public struct Session: Sendable {
    /// Everything that the store keeps in the open, and what is wrong with it.
    public internal(set) var row: SessionRow

    /// The epoch of the last change of the row.
    public let epoch: UInt32

    /// When the session was stored first, in seconds since 1970.
    public let createdAt: Int64

    /// When the row was changed last, in seconds since 1970.
    public let changedAt: Int64

    /// The saved state, or `nil` if none is kept.
    public internal(set) var savedState: Record?

    let sid: SessionNumber
    let stateAfter: UInt64
  }

  /// A saved state, as it is sealed.
  public struct Record: Sendable {
    /// The number of bytes of the encoded state.
    public let size: Int

    /// The epoch in which it was captured.
    public let epoch: UInt32

    /// The number of the opening of the store in which it was sealed.
    public let opening: UInt64

    let place: RecordFinder.Found
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

    /// How many sessions there are.
    public let sessions: Int

    /// How many of them were discarded while no application was running.
    public let discarded: Int

    /// How many times the store was opened for writing.
    public let openings: Int

    /// How many segments of sealed states there are.
    public let segments: Int

    /// The bytes of sealed states, whether they still count or not.
    public let segmentBytes: Int

    /// The size of the file in bytes.
    public let databaseBytes: Int

    /// The size of the log beside it in bytes.
    public let logBytes: Int
  }

  let view: StoreView
  var reader: RowReader
  private var opener: RecordOpener?

  /// How many sessions are looked up together.
  private static let group = 65_536

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
    reader = try view.read { () throws(StoreError) in try RowReader(view.connection) }
  }

  /// Counts what the store has.
  ///
  /// - Returns: The totals.
  /// - Throws: `damaged` if a table cannot be read, `inUse` if a program has begun to write to the
  ///   file, or what the system refuses.
  public func totals() throws(StoreError) -> Totals {
    try view.read { () throws(StoreError) in try countAll() }
  }

  private func countAll() throws(StoreError) -> Totals {
    let connection = view.connection
    func count(_ query: String) throws(StoreError) -> Int {
      Int(clamping: try connection.integer(query))
    }
    let sizes = view.fileSizes
    return Totals(
      version: Int(StoreSchema.version), epoch: view.store?.epoch,
      createdAt: view.store?.createdAt, isRestoring: view.store?.isRestoring,
      sessions: try count("SELECT count(*) FROM session"),
      discarded: try count("SELECT count(*) FROM session WHERE is_discarded"),
      openings: max(0, Int(clamping: view.store?.nextOpening ?? 1) - 1),
      segments: try count("SELECT count(*) FROM segment_toc"),
      segmentBytes: try count("SELECT ifnull(sum(total), 0) FROM segment_toc"),
      databaseBytes: sizes.database, logBytes: sizes.log)
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
    var scan = try RowScan(StoredRow.columns, of: "session", by: "sid", on: view.connection)
    defer { scan.finalize() }
    var damage = reader.damage
    var sessions: [Session] = []
    try scan.forEach(
      { (statement) throws(any Error) in
        sessions.append(session(statement))
        if sessions.count >= Self.group {
          damage += try view.read { () throws(StoreError) in try complete(&sessions) }
          try sessions.forEach(body)
          sessions.removeAll(keepingCapacity: true)
        }
      }, refused: { $0 })
    damage += try view.read { () throws(StoreError) in try complete(&sessions) }
    try sessions.forEach(body)
    if scan.hasGap {
      damage.append(StoreError(.damaged, "a part of the table session cannot be read."))
    }
    return damage
  }

  /// Looks up one session.
  ///
  /// - Parameter identifier: The session.
  /// - Returns: The session, or `nil` if it is not kept.
  /// - Throws: As ``totals()`` does.
  public func session(_ identifier: SessionIdentifier) throws(StoreError) -> Session? {
    try view.read { () throws(StoreError) in try find(identifier) }
  }

  private func find(_ identifier: SessionIdentifier) throws(StoreError) -> Session? {
    let statement = try view.connection.prepare(
      "SELECT \(StoredRow.columns) FROM session WHERE id = ?1")
    defer { statement.finalize() }
    statement.bind(identifier, 1)
    guard try statement.step() else { return nil }
    var sessions = [session(statement)]
    _ = try complete(&sessions)
    return sessions[0]
  }

  /// Opens the saved state of a session.
  ///
  /// - Parameter session: A session of this inspection.
  /// - Returns: What ``SavedState`` was encoded to, or `nil` if none is kept.
  /// - Throws: `damaged` or `wrongKey` if it cannot be opened, `keyUnavailable` if no key was
  ///   given, `inUse` if a program has begun to write to the file, or what the system refuses.
  public func savedState(of session: Session) throws(StoreError) -> [UInt8]? {
    try view.read { () throws(StoreError) in try open(session) }
  }

  private func open(_ session: Session) throws(StoreError) -> [UInt8]? {
    let identifier = session.row.persistentIdentifier
    guard let place = session.savedState?.place else { return nil }
    let opener = try recordOpener(for: identifier)
    let record = view.bytes(
      segment: place.segment, offset: place.offset, size: place.header.recordSize)
    guard let record, unsafe RecordHeader(in: record.span.bytes, at: 0) == place.header else {
      throw StoreError(
        .damaged, session: identifier,
        "expected its record in segment \(place.segment) at \(place.offset), found none.")
    }
    switch try opener.key(of: session.sid) {
    case .known(identifier, let key):
      return try unsafe opener.open(record.span.bytes, with: (identifier, key)) { state in
        unsafe state.withUnsafeBytes { unsafe Array($0) }
      }
    case .refused(let error): throw error
    case .known, .destroyed:
      throw StoreError(.damaged, session: identifier, "its key is missing.")
    }
  }

  private func recordOpener(for session: SessionIdentifier) throws(StoreError) -> RecordOpener {
    if let opener { return opener }
    guard let ring = view.ring else {
      throw StoreError(
        .keyUnavailable, session: session, "no application key was given to open its state with.")
    }
    let made = try RecordOpener(ring, on: view.connection)
    opener = made
    return made
  }

  private func session(_ statement: SQLiteStatement) -> Session {
    let (stored, row) = reader.read(statement)
    return Session(
      row: row, epoch: stored.epoch, createdAt: stored.createdAt, changedAt: stored.changedAt,
      savedState: nil, sid: stored.sid, stateAfter: stored.stateAfter)
  }

  /// Finds the states of sessions that are in the order of their numbers.
  private func complete(_ sessions: inout [Session]) throws(StoreError) -> [StoreError] {
    guard !sessions.isEmpty else { return [] }
    let finder = try RecordFinder(sessions.map(\.sid), in: view)
    for index in sessions.indices {
      let (sid, after) = (sessions[index].sid, sessions[index].stateAfter)
      guard let found = finder.record(of: sid, after: after) else { continue }
      sessions[index].savedState = Record(
        size: Int(found.header.length), epoch: found.header.epoch,
        opening: found.header.opening, place: found)
      sessions[index].row.hasSavedState = true
    }
    return finder.damage
  }
}

@available(*, unavailable)
extension StoreInspection: Sendable {}
