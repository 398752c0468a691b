// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What opening a store comes to.
struct OpenedStore {
  /// The row of the table `store`, as it is in the file.
  var store: StoreRow
  /// The opening that has begun; its row is on the disk.
  let opening: OpeningRow
  /// What is wrong with the store as a whole.
  var damage: [StoreError] = []
}

/// Brings the file of a store to where it can be used: makes it, or brings it to this version.
struct StoreOpening {
  let connection: SQLiteConnection
  let keyring: ApplicationKeyring
  let options: SQLiteSessionStore.Options

  private var path: String { connection.path }

  /// Opens the store.
  ///
  /// - Parameter lost: What is wrong with the log that SQLite found, or `nil`.
  /// - Returns: The store.
  /// - Throws: `unusable`, `newerVersion`, `wrongKey`, or what SQLite refuses.
  func open(lost: StoreError? = nil) throws(StoreError) -> OpenedStore {
    do throws(StoreError) {
      try Self.checkKind(of: connection)
      try prepare()
      try migrate()
      try StoreSchema.check(on: connection)
    } catch  where error.code == .damaged {
      throw StoreError(.unusable, DatabaseFile.complaint(about: path) ?? error.message)
    }
    // What stands behind the damage must not be found again at the next opening.
    if lost != nil { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    var opened = try begin()
    if let lost { opened.damage.append(lost) }
    try KeyRotation(connection: connection, keyring: keyring, options: options)
      .run(&opened.store)
    return opened
  }

  /// Refuses a file that is no store, or one of a later version.
  ///
  /// - Returns: The version; 0 if the store was only begun to be made, and has nothing.
  /// - Throws: `unusable` or `newerVersion`, or what SQLite refuses.
  @discardableResult
  static func checkKind(of connection: SQLiteConnection) throws(StoreError) -> Int64 {
    let application = try connection.integer("PRAGMA application_id")
    let version = try connection.integer("PRAGMA user_version")
    // A store that was killed when it was made has nothing yet.
    if application == 0, version == 0,
      try connection.integer("SELECT count(*) FROM sqlite_master") == 0
    {
      return 0
    }
    guard application == StoreSchema.applicationIdentifier else {
      throw StoreError(
        .unusable,
        "\(connection.path): expected a store, found an SQLite database of another application.")
    }
    guard version <= StoreSchema.version else {
      throw StoreError(
        .newerVersion,
        "\(connection.path): expected a store of version \(StoreSchema.version) at most, found"
          + " version \(version): a newer program wrote it.")
    }
    return version
  }

  private func prepare() throws(StoreError) {
    options.reached(.insideCreation)
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = FULL")
    // From the first row on, so that no copy of a key stays where rows are moved.
    try connection.execute("PRAGMA secure_delete = FAST")
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.execute("PRAGMA cache_size = -8192")
    try connection.execute("PRAGMA journal_size_limit = \(Checkpointing.logLimit)")
    if let limit = options.pageLimit {
      try connection.execute("PRAGMA max_page_count = \(limit)")
    }
    guard try connection.integer("PRAGMA page_size") == StoreSchema.pageSize else {
      throw StoreError(
        .unusable, "\(path): expected pages of \(StoreSchema.pageSize) bytes, found others.")
    }
  }

  /// Runs the steps that the file has not seen, each in a transaction.
  private func migrate() throws(StoreError) {
    let version = try connection.integer("PRAGMA user_version")
    for step in Int(version)..<StoreSchema.steps.count {
      try connection.transaction { () throws(StoreError) in
        if step == 0 {
          try connection.execute(
            "PRAGMA application_id = \(StoreSchema.applicationIdentifier)")
        }
        try connection.execute(StoreSchema.steps[step])
        try connection.execute("PRAGMA user_version = \(step + 1)")
        options.reached(.insideMigration)
      }
    }
  }

  /// Begins an opening: its random bytes are on the disk before anything is sealed with them.
  private func begin() throws(StoreError) -> OpenedStore {
    let found = try StoreRow.read(on: connection)
    let lastOpening = try greatestOpening()
    let isNew = found == nil && lastOpening == 0
    var store = found ?? (isNew ? StoreRow(createdAt: options.now()) : recovered())
    // An older copy of the row would have an opening's number be used again.
    store.nextOpening = max(store.nextOpening, lastOpening + 1)
    var damage: [StoreError] = []
    if found == nil, !isNew {
      damage.append(
        StoreError(
          .damaged,
          "\(path): the row of the table store does not have its checksum, and was made again."))
    }
    keyring.expect([store.keyCheck, store.nextKeyCheck])
    do throws(StoreError) {
      let ring = try keyring.ring()
      if store.keyCheck.isEmpty { store.keyCheck = try check(of: ring) }
    } catch  where error.code == .keyUnavailable {
      // On a device that is locked the sessions' rows can be read all the same.
    }
    var generator = SystemRandomness()
    let opening = OpeningRow(
      number: store.nextOpening,
      salt: (0..<OpeningRow.saltSize).map { _ in UInt8.random(in: 0...255, using: &generator) })
    guard RecordHeader.version(opening: opening.number, counter: 0) != nil else {
      throw StoreError(.limitExceeded, "\(path): the store was opened too often.")
    }
    store.nextOpening += 1
    try connection.transaction { () throws(StoreError) in
      try opening.write(at: options.now(), on: connection)
      let writing = try connection.prepare(StoreRow.writing)
      defer { writing.finalize() }
      try store.write(with: writing)
    }
    return OpenedStore(store: store, opening: opening, damage: damage)
  }

  /// What can be known of a row of the table `store` that is damaged, from what the others say.
  private func recovered() -> StoreRow {
    var store = StoreRow(createdAt: options.now())
    let sid = SessionNumber(
      row: max(
        greatest("SELECT max(sid) FROM session"), greatest("SELECT max(sid) FROM session_key")))
    // Numbers that were given and are gone may be higher: stay away from them.
    if sid.isValid { store.nextSequence = sid.sequence + 1 << 20 }
    store.epoch = UInt32(clamping: greatest("SELECT max(epoch) FROM session"))
    store.census = .init(count: -1, sum: 0)
    return store
  }

  /// Finds out which key of the ring wrapped the sessions' keys, where the store does not say it.
  ///
  /// - Throws: `wrongKey` if there are wrapped keys and none of the ring's fits, or what SQLite
  ///   refuses.
  private func check(of ring: KeyRing) throws(StoreError) -> [UInt8] {
    var scan = try RowScan(KeyRow.columns, of: "session_key", by: "sid", on: connection)
    defer { scan.finalize() }
    var (wrapped, unwrapped) = (0, 0)
    var isOutdated = false
    try scan.forEach(
      { (statement) throws(StoreError) in
        guard !isOutdated, let row = KeyRow(statement), !row.wrapped.isEmpty else { return }
        wrapped += 1
        guard let found = try? ring.unwrap(row.wrapped, of: row.identifier) else { return }
        unwrapped += 1
        isOutdated = found.isOutdated
      }, refused: { $0 })
    if wrapped > 0, unwrapped == 0 {
      throw StoreError(
        .wrongKey,
        "\(path): expected the application key that the store is sealed with, found another.")
    }
    return isOutdated ? ring.previous?.check ?? ring.primary.check : ring.primary.check
  }

  /// The greatest number of an opening whose row is sound in one of its tables.
  private func greatestOpening() throws(StoreError) -> UInt64 {
    var greatest: UInt64 = 0
    for table in OpeningRow.tables {
      var scan = try RowScan(OpeningRow.columns, of: table, by: "opening", on: connection)
      defer { scan.finalize() }
      try scan.forEach(
        { (statement) throws(StoreError) in
          if let row = OpeningRow(statement) { greatest = max(greatest, row.number) }
        }, refused: { $0 })
    }
    return greatest
  }

  private func greatest(_ query: String) -> Int64 { (try? connection.integer(query)) ?? 0 }
}
