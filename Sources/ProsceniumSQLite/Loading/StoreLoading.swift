// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// Reads a store into memory, once.
struct StoreLoading {
  let connection: SQLiteConnection
  let parts: StoreParts
  private let store: StoreRow

  /// What is in memory of the sessions afterwards.
  var index: SessionIndex

  /// The newest record of each session.
  var records = LoadedRecords()

  /// The configurations by number; `nil` for one that is damaged.
  private(set) var configurations: [Int64: StoredConfiguration?] = [:]

  /// What is wrong with the store and concerns no session that is given.
  var damage: [StoreError] = []

  private var predicates = PredicateCache()
  private var batch: [SessionRow] = []
  private var census = SegmentContents.Census()

  /// How many rows are given at once.
  private static let batchSize = 1_024

  init(_ writer: StoreWriter) throws(StoreError) {
    connection = writer.connection
    parts = writer.parts
    store = writer.store
    let count = Int(clamping: max(0, writer.store.census.count))
    index = SessionIndex(capacity: count, nextSequence: writer.store.nextSequence)
    batch.reserveCapacity(Self.batchSize)
  }

  /// Ends what the loading had open.
  func finalize() {}

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
  }

  /// Reads the tables of contents.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  mutating func readContents() throws(StoreError) {
    var scan = try RowScan("seg, total, toc", of: "segment_toc", by: "seg", on: connection)
    defer { scan.finalize() }
    try scan.forEach(
      { (statement) throws(StoreError) in
        let (segment, total) = (statement.integer(0), statement.integer(1))
        statement.withBytes(2) { read($0, segment: segment, total: total) }
      }, refused: { $0 })
  }

  private mutating func read(_ contents: RawSpan, segment: Int64, total: Int64) {
    records.greatestSegment = max(records.greatestSegment, segment)
    guard SegmentContents.hasChecksum(contents, segment: segment, total: total) else { return }
    let count = SegmentContents.count(in: contents)
    let handle = index.segments.add(segment, total: 0, live: 0)
    var offset = 0
    var weight = 0
    for place in 0..<count {
      let entry = SegmentContents.entry(place, in: contents)
      records.add(entry, segment: handle, offset: offset)
      offset += entry.recordSize
      weight += SessionIndex.weight(entry.recordSize)
    }
    index.segments.setTotal(weight << 3, of: handle)
  }

  /// Reads the sessions and gives their rows.
  ///
  /// - Throws: What `receive` throws, or what SQLite refuses other than damage.
  mutating func readSessions(_ receive: ([SessionRow]) throws -> Void) throws {
    var scan = try RowScan(StoredRow.columns, of: "session", by: "sid", on: connection)
    defer { scan.finalize() }
    try scan.forEach(
      { (statement) throws(any Error) in
        let (row, isSound) = StoredRow.read(statement)
        if isSound { take(row) }
        if batch.count >= Self.batchSize { try give(receive) }
      }, refused: { $0 })
    if !batch.isEmpty { try give(receive) }
  }

  private mutating func give(_ receive: ([SessionRow]) throws -> Void) throws {
    try receive(batch)
    batch.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ row: StoredRow) {
    index.load(row.identifier, row.sid)
    census.add(row.sid.row)
    let slot = row.sid.slot
    if let newest = records.newest(of: row.sid), newest.version > row.stateAfter {
      index.restore(slot, newest)
    }
    batch.append(sessionRow(row, hasSavedState: index[slot].place != .none))
  }

  private mutating func sessionRow(_ row: StoredRow, hasSavedState: Bool) -> SessionRow {
    var given = SessionRow(
      persistentIdentifier: row.identifier,
      configuration: configurations[row.configuration].flatMap { $0 } ?? StoredConfiguration())
    given.lastActivated = UInt64(clamping: row.lastActivated)
    given.group = row.group.map(SceneGroup.init(rawValue:))
    given.title = row.title
    given.subtitle = row.subtitle
    given.destructionConditions = DestructionBits.conditions(of: row.destruction)
    given.hasSavedState = hasSavedState
    given.isDiscarded = row.isDiscarded
    if let text = row.canActivate, let can = predicates[text] {
      given.activationConditions.can = can
    }
    if let text = row.prefers, let prefers = predicates[text] {
      given.activationConditions.prefers = prefers
    }
    return given
  }
}

/// Predicates by their texts, so that a text which many sessions have is read once.
struct PredicateCache {
  private var predicates: [String: ContentPredicate] = [:]

  /// How many are kept; with more texts than that it does not pay.
  private static let limit = 4_096

  /// The predicate of a text, or `nil` if the text is none.
  subscript(text: String) -> ContentPredicate? {
    mutating get {
      if let known = predicates[text] { return known }
      guard let predicate = try? ContentPredicate(format: text) else { return nil }
      if predicates.count < Self.limit { predicates[text] = predicate }
      return predicate
    }
  }
}

extension SessionIndex {
  /// Notes where the newest record of a session stands.
  mutating func restore(_ slot: Int, _ newest: LoadedRecords.Newest) {
    let place = RecordPlace(
      segment: newest.segment, offset: Int(newest.offset), version: newest.version)
    self.place(slot, at: place, size: Int(newest.size))
    segments.revive(Self.weight(Int(newest.size)) << 3, in: newest.segment)
  }
}
