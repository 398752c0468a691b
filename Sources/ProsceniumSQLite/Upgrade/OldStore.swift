// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import ProsceniumStoring

/// Reads a store of version 4, whose saved states were records in segments.
struct OldStore {
  /// The version that is read.
  static let version: Int64 = 4

  private static let columns = """
    sid, id, configuration, group_name, title, subtitle, can_activate, prefers, destruction,
    last_activated, is_discarded, state_after, next_wake
    """

  let connection: SQLiteConnection
  private let ring: KeyRing
  private var predicates = PredicateCache()
  private var configurations: [Int64: StoredConfiguration] = [:]
  private var activations: [Int64: Int64] = [:]
  private var salts: [UInt64: [UInt8]] = [:]
  /// The newest record of each session.
  private var records: [Int64: (header: OldHeader, segment: Int64, offset: Int)] = [:]

  /// A session and its encoded state.
  struct Session {
    let row: SessionRow
    let state: [UInt8]?
  }

  /// Reads everything but the sessions.
  ///
  /// - Throws: `unusable` if it is another version, `wrongKey`, or what SQLite refuses.
  init(_ connection: SQLiteConnection, _ ring: KeyRing) throws(StoreError) {
    self.connection = connection
    self.ring = ring
    let version = try connection.integer("PRAGMA user_version")
    guard try connection.integer("PRAGMA application_id") == StoreSchema.applicationIdentifier,
      version == Self.version
    else {
      throw StoreError(
        .unusable,
        "\(connection.path): expected a store of version \(Self.version), found version \(version)."
      )
    }
    var checks: [[UInt8]] = []
    try query("SELECT key_check, next_key_check FROM store") {
      checks = [$0.bytes(0), $0.bytes(1)]
    }
    guard checks.allSatisfy({ $0.isEmpty || ring.recognises($0) }) else {
      throw StoreError(
        .wrongKey,
        "\(connection.path): expected the application key that the store is sealed with.")
    }
    try readTables()
    try readRecords()
  }

  private func query(
    _ text: String, _ body: (SQLiteStatement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statement = try connection.prepare(text)
    defer { statement.finalize() }
    while try statement.step() { try body(statement) }
  }

  private mutating func readTables() throws(StoreError) {
    var configurations: [Int64: StoredConfiguration] = [:]
    try query("SELECT \(ConfigurationTable.columns) FROM configuration") { row in
      configurations[row.integer(0)] = StoredConfiguration(
        role: SceneSession.Role(rawValue: row.text(1) ?? ""), name: row.text(2),
        delegateClass: row.text(3), sceneClass: row.text(4), manifestRevision: row.text(5))
    }
    var activations: [Int64: Int64] = [:]
    try query("SELECT sid, max(counter) FROM activation WHERE number > 0 GROUP BY sid") {
      activations[$0.integer(0)] = $0.integer(1)
    }
    var salts: [UInt64: [UInt8]] = [:]
    try query("SELECT opening, salt FROM opening") {
      salts[UInt64(bitPattern: $0.integer(0))] = $0.bytes(1)
    }
    (self.configurations, self.activations, self.salts) = (configurations, activations, salts)
  }

  private mutating func readRecords() throws(StoreError) {
    var records = records
    try query("SELECT seg, body FROM segment") { row in
      let segment = row.integer(0)
      row.withBytes(1) { body in
        var offset = 0
        while let header = OldHeader(body, at: offset) {
          let sid = Int64(bitPattern: header.sid)
          if header.version >= records[sid]?.header.version ?? 0 {
            records[sid] = (header, segment, offset)
          }
          offset += header.recordSize
        }
      }
    }
    self.records = records
  }

  // MARK: - Sessions

  /// Reads the next sessions, in the order in which they were first stored.
  ///
  /// - Parameters:
  ///   - last: The number behind which to go on; afterwards that of the last one that was read.
  ///   - limit: How many are read at most.
  /// - Returns: The sessions; none at the end.
  /// - Throws: `damaged` with the session that cannot be read, or what SQLite refuses.
  mutating func readSessions(
    after last: inout Int64, limit: Int
  ) throws(StoreError) -> [Session] {
    let statement = try connection.prepare(
      "SELECT \(Self.columns) FROM session WHERE sid > ?1 ORDER BY sid LIMIT \(limit)")
    defer { statement.finalize() }
    statement.bind(last, 1)
    var sessions: [Session] = []
    while try statement.step() {
      last = statement.integer(0)
      sessions.append(try session(statement))
    }
    return sessions
  }

  private mutating func session(_ statement: SQLiteStatement) throws(StoreError) -> Session {
    let sid = statement.integer(0)
    guard let identifier = statement.identifier(1) else {
      throw StoreError(.damaged, "row \(sid) of the table session does not say whose it is.")
    }
    var stored = StoredRow(sid, identifier, at: 0)
    stored.configuration = statement.integer(2)
    stored.group = statement.text(3)
    stored.title = statement.text(4)
    stored.subtitle = statement.text(5)
    stored.canActivate = statement.text(6)
    stored.prefers = statement.text(7)
    stored.destruction = statement.integer(8)
    stored.lastActivated = max(statement.integer(9), activations[sid] ?? 0)
    stored.isDiscarded = statement.integer(10) != 0
    stored.nextWake = statement.isNull(12) ? nil : statement.integer(12)
    guard let configuration = configurations[stored.configuration] else {
      throw stored.damage("its configuration is missing")
    }
    var row = stored.row(ConfigurationTable(), &predicates)
    row.configuration = configuration
    row.damage = nil
    let after = UInt64(bitPattern: statement.integer(11))
    guard let record = records[sid], record.header.version > after, !stored.isDiscarded else {
      return Session(row: row, state: nil)
    }
    return Session(row: row, state: try open(record, of: stored))
  }

  private func open(
    _ record: (header: OldHeader, segment: Int64, offset: Int), of row: StoredRow
  ) throws(StoreError) -> [UInt8] {
    var sealed: [UInt8] = []
    try query(
      """
      SELECT substr(body, \(record.offset + 1), \(record.header.recordSize))
      FROM segment WHERE seg = \(record.segment)
      """
    ) { sealed = $0.bytes(0) }
    var wrapped: [UInt8] = []
    try query("SELECT wrapped FROM session_key WHERE sid = \(row.number)") { wrapped = $0.bytes(0) }
    guard let salt = salts[record.header.version >> 40], let key = try? ring.unwrap(wrapped).key,
      let state = unsafe record.header.open(sealed.span.bytes, of: row.identifier, key, salt)
    else { throw row.damage("its state cannot be opened") }
    return state
  }
}

/// What is in the open before the sealed bytes of a record of version 4.
private struct OldHeader {
  private static let size = 24
  private static let overhead = size + 16

  let sid: UInt64
  let length: Int
  let version: UInt64
  private let words: (UInt64, UInt64, UInt64)

  var recordSize: Int { Self.overhead + length }

  /// Reads a header, or returns `nil` if there is no whole record.
  init?(_ bytes: RawSpan, at offset: Int) {
    guard bytes.byteCount - offset >= Self.overhead else { return nil }
    func word(_ at: Int) -> UInt64 {
      unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + at, as: UInt64.self)
    }
    words = (word(0), word(8), word(16))
    sid = UInt64(littleEndian: words.0)
    length = Int(UInt64(littleEndian: words.1) >> 32)
    version = UInt64(littleEndian: words.2)
    guard bytes.byteCount - offset >= recordSize else { return nil }
  }

  /// Opens the record that begins with the header.
  func open(
    _ record: RawSpan, of session: SessionIdentifier, _ key: SessionKey, _ salt: [UInt8]
  ) -> [UInt8]? {
    guard record.byteCount == recordSize else { return nil }
    var binding: [UInt8] = []
    for word in [session.high.bigEndian, session.low.bigEndian] {
      unsafe withUnsafeBytes(of: word) { unsafe binding.append(contentsOf: $0) }
    }
    let header = unsafe record.extracting(0..<Self.size).withUnsafeBytes { unsafe Array($0) }
    return RecordSealer.openOld(
      record.extracting(Self.size..<recordSize), nonce: Array(header[12...]),
      binding: binding + header[..<12], key: key.expanded(Array("proscenium record 1".utf8) + salt))
  }
}
