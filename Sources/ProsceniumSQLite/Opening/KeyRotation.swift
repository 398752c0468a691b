// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Wraps the sessions' keys with the primary application key, where the previous one wrapped them.
///
/// It goes in steps, so that the log stays small. While it is under way the store expects both
/// keys; what was interrupted goes on at the next opening.
struct KeyRotation {
  let connection: SQLiteConnection
  let keyring: ApplicationKeyring
  let options: SQLiteSessionStore.Options

  /// How many keys a transaction wraps.
  private static let step = 16_384

  /// Wraps what has to be wrapped, unless there is no key now.
  ///
  /// - Throws: What SQLite refuses.
  func run(_ store: inout StoreRow) throws(StoreError) {
    guard let ring = try? keyring.ring() else { return }
    if store.keyCheck == ring.primary.check, store.nextKeyCheck.isEmpty { return }
    store.nextKeyCheck = ring.primary.check
    try write(store)
    // The wrapped key of before must not stay in the file.
    try connection.execute("PRAGMA secure_delete = ON")
    var last: Int64? = Int64.min
    while let after = last { last = try wrap(after: after, ring) }
    try connection.execute("PRAGMA secure_delete = FAST")
    store.keyCheck = ring.primary.check
    store.nextKeyCheck = []
    try write(store)
    keyring.expect([store.keyCheck])
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func write(_ store: StoreRow) throws(StoreError) {
    let writing = try connection.prepare(StoreRow.writing)
    defer { writing.finalize() }
    try store.write(with: writing)
  }

  /// Goes through the next keys.
  ///
  /// - Returns: The last row that was seen, or `nil` if there is none left.
  private func wrap(after row: Int64, _ ring: KeyRing) throws(StoreError) -> Int64? {
    let reading = try connection.prepare(
      "SELECT \(KeyRow.columns) FROM session_key WHERE sid > ?1 ORDER BY sid LIMIT \(Self.step)")
    defer { reading.finalize() }
    let writing = try connection.prepare(
      "INSERT OR REPLACE INTO session_key(\(KeyRow.columns)) VALUES (?1, ?2, ?3, ?4)")
    defer { writing.finalize() }
    var last: Int64?
    var outdated: [KeyRow] = []
    reading.bind(row, 1)
    while try reading.step() {
      last = reading.integer(0)
      // A damaged one stays as it is: its session is refused when it is connected.
      guard var row = KeyRow(reading),
        let unwrapped = try? ring.unwrap(row.wrapped, of: row.identifier), unwrapped.isOutdated
      else { continue }
      row.wrapped = try ring.primary.wrap(unwrapped.key)
      outdated.append(row)
    }
    try connection.transaction { () throws(StoreError) in
      for row in outdated {
        row.bind(to: writing)
        try writing.run()
      }
      options.reached(.insideRotation)
    }
    return last
  }
}
