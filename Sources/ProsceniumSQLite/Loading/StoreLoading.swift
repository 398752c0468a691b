// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Reads a store into memory.
///
/// Tables of contents come first, so that each session's row can be given with whether it has a
/// saved state. Everything is passed over that is damaged, and nothing that should be there is
/// missed: what vanished is looked for in the tables that know of it too.
struct StoreLoading: Sendable {
  let connection: SQLiteConnection
  let parts: StoreParts

  /// The row of the table `store`.
  let store: StoreRow

  /// What is in memory of the sessions afterwards.
  var index: SessionIndex

  /// The newest record of each session.
  var records = LoadedRecords()

  /// The last activation of each session.
  var activations = LoadedActivations()

  /// All segments that have to be there, as the newest table of contents says.
  var expectedSegments: SegmentContents.Census?

  /// The tables of contents that were made again, by segment: they are to be written.
  var repaired: [(segment: Int64, contents: RecoveredContents)] = []

  /// Whether there may be records that are not known of.
  var mayMissRecords = false

  /// The configurations by number; `nil` for one that is damaged.
  var configurations: [Int64: StoredConfiguration?] = [:]

  /// The first number that no configuration has, as far as that is known.
  var nextConfiguration: Int64 = 1

  /// The rows that are there in the table `session`.
  var census = SegmentContents.Census()

  /// What is wrong with the store and concerns no session that is given.
  var damage: [StoreError] = []

  private var predicates = PredicateCache()
  private var scan: RowScan
  /// From which row on the table `session` is not read yet; `nil` at its end.
  private var nextRow: Int64? = .min
  private var strip: [ReadRow] = []
  private var damagedRows: [ReadRow] = []
  private var batch: [SessionRow] = []
  private var batches: [[SessionRow]] = []
  private var lastConfiguration: (number: Int64, configuration: StoredConfiguration)?
  private let readKey: SQLiteStatement

  /// A row as it was read.
  private struct ReadRow {
    let row: StoredRow
    let isSound: Bool
    let isNamed: Bool
  }

  /// How many rows are taken together.
  private static let stripSize = 16

  /// How many rows are given at once.
  private static let batchSize = 1_024

  /// How many rows are read before others are given, or about so many.
  private static let sliceSize = 8 * batchSize

  /// How many damages of the store are told one by one.
  private static let damageLimit = 1_024

  init(_ writer: StoreWriter) throws(StoreError) {
    connection = writer.connection
    parts = writer.parts
    store = writer.store
    let count = Int(clamping: max(0, writer.store.census.count))
    index = SessionIndex(capacity: count, nextSequence: writer.store.nextSequence)
    readKey = try connection.prepare("SELECT \(KeyRow.columns) FROM session_key WHERE sid = ?1")
    scan = try RowScan(StoredRow.columns, of: "session", by: "sid", on: connection)
  }

  /// Ends what the loading had open.
  func finalize() {
    scan.finalize()
    readKey.finalize()
  }

  /// Notes a damage that concerns no session which is given.
  mutating func note(_ message: String, session: SessionIdentifier? = nil) {
    guard damage.count < Self.damageLimit else { return }
    damage.append(StoreError(.damaged, session: session, "\(parts.path): \(message)"))
  }

  /// Reads the configurations.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  mutating func readConfigurations() throws(StoreError) {
    var scan = try RowScan(
      ConfigurationRow.columns, of: "configuration", by: "number", on: connection)
    defer { scan.finalize() }
    var found: [Int64: StoredConfiguration?] = [:]
    try scan.forEach(
      { (statement) throws(StoreError) in
        let (number, configuration) = ConfigurationRow.read(statement)
        found.updateValue(configuration, forKey: number)
      }, refused: { $0 })
    configurations = found
    // Numbers that cannot be read may be higher: stay away from them.
    nextConfiguration = (found.keys.max() ?? 0) + (scan.hasGap ? 64 : 1)
  }

  /// Reads the activations.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  mutating func readActivations() throws(StoreError) {
    activations = try LoadedActivations(connection)
    for message in activations.damage { note(message) }
  }

  // MARK: - Sessions

  /// Reads the rows of some thousand sessions.
  ///
  /// - Returns: The rows, in batches as they are to be given; `nil` when all were.
  /// - Throws: What SQLite refuses, other than damage.
  mutating func readSessions() throws(StoreError) -> [[SessionRow]]? {
    guard let start = nextRow else { return nil }
    var scan = scan
    defer { self.scan = scan }
    nextRow = try scan.forEach(
      from: start, limit: Self.sliceSize,
      { (statement) throws(StoreError) in read(statement) }, refused: { $0 })
    takeStrip()
    if nextRow == nil { takeDamaged() }
    if nextRow == nil, scan.hasGap || store.census.count >= 0 && store.census != census {
      try readVanished()
    }
    closeBatch()
    defer { batches = [] }
    return batches
  }

  private mutating func read(_ statement: SQLiteStatement) {
    let (row, isSound, isNamed) = StoredRow.read(statement)
    census.add(row.sid.row)
    index.prefetch(row.identifier)
    strip.append(ReadRow(row: row, isSound: isSound, isNamed: isNamed))
    if strip.count == Self.stripSize { takeStrip() }
  }

  /// Takes rows that were read a little earlier: what finds them in memory is on its way since.
  private mutating func takeStrip() {
    for place in strip.indices {
      if strip[place].isSound {
        take(strip[place].row)
      } else {
        damagedRows.append(strip[place])
      }
    }
    strip.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ row: StoredRow) {
    guard row.sid.isValid, index.canLoad(row.sid), index.find(row.identifier) == nil else {
      return note(
        "row \(row.sid.row) of the table session is there twice, or where none can be.",
        session: row.identifier)
    }
    index.load(row.identifier, row.sid)
    nextConfiguration = max(nextConfiguration, row.configuration + 1)
    restoreRecord(of: row.sid, after: row.stateAfter)
    give(sessionRow(row, index.damage(row.sid.slot)))
  }

  /// Takes the rows that do not have their checksums, when no sound one can need their places.
  private mutating func takeDamaged() {
    let rows = damagedRows
    damagedRows = []
    for row in rows { takeDamaged(row.row, isNamed: row.isNamed) }
  }

  /// Takes a row that does not have its checksum; the table of keys knows whose it is.
  private mutating func takeDamaged(_ row: StoredRow, isNamed: Bool) {
    let key = row.sid.isValid ? key(of: row.sid) : nil
    guard let identifier = key?.identifier ?? (isNamed ? row.identifier : nil),
      index.find(identifier) == nil
    else {
      return note(
        "row \(row.sid.row) of the table session is damaged: it is not known whose it is.")
    }
    var known = row
    known.identifier = identifier
    if row.sid.isValid, key != nil || index.canLoad(row.sid) {
      index.load(identifier, row.sid)
      restoreRecord(of: row.sid, after: 0)
    }
    var given = sessionRow(known)
    given.damage = StoreError(
      .damaged, session: identifier,
      "\(parts.path): row \(row.sid.row) of the table session does not have its checksum.")
    give(given)
  }

  /// Looks for sessions of which the rows vanished: the table of keys knows them.
  private mutating func readVanished() throws(StoreError) {
    var scan = try RowScan(KeyRow.columns, of: "session_key", by: "sid", on: connection)
    defer { scan.finalize() }
    try scan.forEach(
      { (statement) throws(StoreError) in
        guard let key = KeyRow(statement), key.sid.isValid, index.slot(of: key.sid) == nil,
          index.canLoad(key.sid), index.find(key.identifier) == nil
        else { return }
        index.load(key.identifier, key.sid)
        restoreRecord(of: key.sid, after: 0)
        var row = SessionRow(persistentIdentifier: key.identifier)
        row.hasSavedState = index[key.sid.slot].place != .none
        row.damage = StoreError(
          .damaged, session: key.identifier,
          "\(parts.path): row \(key.sid.row) of the table session vanished.")
        give(row)
      }, refused: { $0 })
    let missing = Int(clamping: store.census.count) - index.count
    if missing > 0 {
      note("\(missing) sessions vanished, and what they were called with them.")
    }
  }

  /// Reads a session's key, or returns `nil` if it is not there or damaged.
  func key(of sid: SessionNumber) -> KeyRow? {
    readKey.bind(sid.row, 1)
    defer { readKey.reset() }
    guard (try? readKey.step()) == true else { return nil }
    return KeyRow(readKey)
  }

  private mutating func restoreRecord(of sid: SessionNumber, after version: UInt64) {
    guard let newest = records.newest(of: sid), newest.version > version else { return }
    if newest.size > 0 {
      index.restore(sid.slot, newest)
    } else {
      index.markDamaged(
        sid.slot,
        StoreError(
          .damaged, session: index[sid.slot].identifier,
          "\(parts.path): the newest saved state is in a damaged segment, and is damaged or may be."
        ))
    }
  }

  // MARK: - Giving

  private mutating func give(_ row: consuming SessionRow) {
    if batch.isEmpty { batch.reserveCapacity(Self.batchSize) }
    batch.append(row)
    if batch.count >= Self.batchSize { closeBatch() }
  }

  private mutating func closeBatch() {
    if !batch.isEmpty { batches.append(batch) }
    batch = []
    // Each batch has a copy of its own: two threads that count the references to one are slow.
    lastConfiguration = nil
  }

  private mutating func sessionRow(_ row: StoredRow, _ damage: StoreError? = nil) -> SessionRow {
    let configuration = configuration(row.configuration)
    var given = SessionRow(
      persistentIdentifier: row.identifier, configuration: configuration ?? StoredConfiguration())
    if let damage { given.damage = damage }
    let activation = activations.counter(of: row.sid)
    if let activation { index.activate(row.sid, activation) }
    given.lastActivated = UInt64(clamping: max(row.lastActivated, activation ?? 0))
    given.isDiscarded = row.isDiscarded
    given.hasSavedState = index.slot(of: row.sid).map { index[$0].place != .none } ?? false
    if configuration == nil {
      given.damage = StoreError(
        .damaged, session: row.identifier,
        "\(parts.path): configuration \(row.configuration) of the session is damaged or not there.")
    }
    // What a session does not have takes no memory unless it is set.
    if row.destruction != 0 {
      given.destructionConditions = DestructionBits.conditions(of: row.destruction)
    }
    if let nextWake = row.nextWake { given.nextWake = nextWake }
    if let texts = row.texts { set(texts, &given) }
    return given
  }

  /// A configuration, or `nil` if it is damaged or not there.
  private mutating func configuration(_ number: Int64) -> StoredConfiguration? {
    if let last = lastConfiguration, last.number == number { return last.configuration }
    guard let configuration = configurations[number].flatMap({ $0 })?.copy() else { return nil }
    lastConfiguration = (number, configuration)
    return configuration
  }

  private mutating func set(_ texts: StoredRow.Texts, _ given: inout SessionRow) {
    if let group = texts.group { given.group = SceneGroup(rawValue: group) }
    if let title = texts.title { given.title = title }
    if let subtitle = texts.subtitle { given.subtitle = subtitle }
    for text in [texts.canActivate, texts.prefers] {
      if let text, predicates[text] == nil {
        given.damage = StoreError(
          .damaged, session: given.persistentIdentifier,
          "\(parts.path): expected a predicate, found \(text)")
        return
      }
    }
    if texts.canActivate == nil, texts.prefers == nil { return }
    var conditions = given.activationConditions
    if let text = texts.canActivate, let can = predicates[text] { conditions.can = can }
    if let text = texts.prefers, let prefers = predicates[text] { conditions.prefers = prefers }
    given.activationConditions = conditions
  }
}

extension StoredConfiguration {
  /// An equal configuration that shares nothing with this one.
  fileprivate func copy() -> StoredConfiguration {
    StoredConfiguration(
      role: role, name: name, delegateClass: delegateClass, sceneClass: sceneClass,
      manifestRevision: manifestRevision)
  }
}
