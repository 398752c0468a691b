// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSealing
import ProsceniumStoring

/// What opening a store comes to.
struct OpenedStore {
  /// The row of the table `store`, as it is in the file.
  var store: StoreRow
  /// What is wrong with the store as a whole.
  var damage: [StoreError] = []
}

/// Brings the file of a store to where it can be used, and makes it if there is none.
struct StoreOpening {
  let connection: SQLiteConnection
  let keyring: ApplicationKeyring
  let options: StoreOptions

  private var path: String { connection.path }

  /// How many bytes the log has before it is brought into the database.
  private static let logLimit = 32 << 20

  /// Opens the store.
  ///
  /// - Returns: The store.
  /// - Throws: `unusable`, `newerVersion`, `wrongKey`, or what SQLite refuses.
  func open() throws(StoreError) -> OpenedStore {
    do throws(StoreError) {
      let version = try Self.checkKind(of: connection, migrates: true)
      try prepare()
      if version == 0 { try makeTables() }
      if version == StoreSchema.migratedVersion { try migrate() }
      try StoreSchema.check(on: connection)
    } catch  where error.code == .damaged {
      throw StoreError(.unusable, DatabaseFile.complaint(about: path) ?? error.message)
    }
    var opened = try begin()
    try KeyRotation(connection: connection, keyring: keyring).run(&opened.store)
    return opened
  }

  /// Refuses a file that is no store, or one of another version.
  ///
  /// - Parameters:
  ///   - connection: The file.
  ///   - migrates: Whether the version before is taken.
  /// - Returns: The version; 0 if the store was only begun to be made, and has nothing.
  /// - Throws: `unusable` or `newerVersion`, or what SQLite refuses.
  @discardableResult
  static func checkKind(
    of connection: SQLiteConnection, migrates: Bool = false
  ) throws(StoreError) -> Int64 {
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
    let expected = "\(connection.path): expected a store of version \(StoreSchema.version), found"
    if version > StoreSchema.version {
      throw StoreError(.newerVersion, "\(expected) version \(version): a newer program wrote it.")
    }
    guard version == StoreSchema.version || migrates && version == StoreSchema.migratedVersion
    else {
      throw StoreError(
        .unusable,
        "\(expected) version \(version): run `proscenium store upgrade \(connection.path)`.")
    }
    return version
  }

  private func prepare() throws(StoreError) {
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = FULL")
    // From the first row on, so that no copy of a key stays where rows are moved.
    try connection.execute("PRAGMA secure_delete = FAST")
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.execute("PRAGMA cache_size = -65536")
    try connection.execute("PRAGMA journal_size_limit = \(2 * Self.logLimit)")
    try connection.execute(
      "PRAGMA wal_autocheckpoint = \(Self.logLimit / SQLiteConnection.pageSize)")
    if let limit = options.pageLimit {
      try connection.execute("PRAGMA max_page_count = \(limit)")
    }
    guard try connection.integer("PRAGMA page_size") == SQLiteConnection.pageSize else {
      throw StoreError(
        .unusable, "\(path): expected pages of \(SQLiteConnection.pageSize) bytes, found others.")
    }
  }

  private func makeTables() throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute("PRAGMA application_id = \(StoreSchema.applicationIdentifier)")
      try connection.execute(StoreSchema.tables)
      try StoreRow(createdAt: options.now()).write(on: connection)
      try connection.execute("PRAGMA user_version = \(StoreSchema.version)")
    }
  }

  /// Makes a store of this version of one of the version before: all or nothing, and no session is
  /// written.
  private func migrate() throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try connection.execute(StoreSchema.migration)
      try connection.execute("PRAGMA user_version = \(StoreSchema.version)")
    }
  }

  /// Counts the opening, and finds out by which keys the sessions' keys are wrapped.
  private func begin() throws(StoreError) -> OpenedStore {
    let found = try StoreRow.read(on: connection)
    var opened = OpenedStore(store: found ?? recovered())
    if found == nil {
      opened.damage.append(
        StoreError(
          .damaged,
          "\(path): the row of the table store does not have its checksum, and was made again."))
    }
    opened.store.openings += 1
    keyring.expect([opened.store.keyCheck, opened.store.nextKeyCheck])
    do throws(SealingError) {
      let ring = try keyring.ring()
      if opened.store.keyCheck.isEmpty { opened.store.keyCheck = try check(of: ring) }
    } catch {
      // On a device that is locked the sessions' rows can be read all the same.
      if error.code != .keyUnavailable { throw StoreError(error) }
    }
    try opened.store.write(on: connection)
    return opened
  }

  /// What can be known of a row of the table `store` that is damaged, from what the others say.
  private func recovered() -> StoreRow {
    var store = StoreRow(createdAt: options.now())
    let epoch = try? connection.integer("SELECT max(epoch) FROM session")
    store.epoch = UInt32(clamping: epoch ?? 0)
    return store
  }

  /// Finds out which key of the ring wrapped the sessions' keys, where the store does not say it.
  ///
  /// - Throws: `wrongKey` if there are wrapped keys and none of the ring's fits.
  private func check(of ring: KeyRing) throws(SealingError) -> [UInt8] {
    var (wrapped, unwrapped) = (0, 0)
    var isOutdated = false
    do throws(StoreError) {
      var scan = try RowScan("number, key", of: "session", by: "number", on: connection)
      defer { scan.finalize() }
      try scan.forEach(
        { (statement) throws(StoreError) in
          guard !isOutdated, !statement.isNull(1) else { return }
          wrapped += 1
          guard let found = try? ring.unwrap(statement.bytes(1)) else { return }
          unwrapped += 1
          isOutdated = found.isOutdated
        }, refused: { $0 })
    } catch {
      throw SealingError(.failed, error.message)
    }
    guard wrapped == 0 || unwrapped > 0 else {
      throw SealingError(
        .wrongKey,
        "\(path): expected the application key that the store is sealed with, found another.")
    }
    return isOutdated ? ring.previous?.check ?? ring.primary.check : ring.primary.check
  }
}
