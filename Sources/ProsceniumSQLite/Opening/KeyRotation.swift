// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSealing
import ProsceniumStoring

/// Wraps the sessions' keys with the primary application key, where the previous one wrapped them.
///
/// It goes in steps, so that the log stays small. While it is under way the store expects both
/// keys; what was interrupted goes on at the next opening.
struct KeyRotation {
  let connection: SQLiteConnection
  let keyring: ApplicationKeyring

  /// How many keys a transaction wraps.
  private static let step = 16_384

  /// Wraps what has to be wrapped, unless there is no key now.
  ///
  /// - Throws: What SQLite refuses.
  func run(_ store: inout StoreRow) throws(StoreError) {
    guard let ring = try? keyring.ring() else { return }
    if store.keyCheck == ring.primary.check, store.nextKeyCheck.isEmpty { return }
    store.nextKeyCheck = ring.primary.check
    try store.write(on: connection)
    // The wrapped key of before must not stay in the file.
    try connection.execute("PRAGMA secure_delete = ON")
    var last: Int64? = Int64.min
    while let after = last { last = try wrap(after: after, ring) }
    try connection.execute("PRAGMA secure_delete = FAST")
    store.keyCheck = ring.primary.check
    store.nextKeyCheck = []
    try store.write(on: connection)
    keyring.expect([store.keyCheck])
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Goes through the next keys.
  ///
  /// - Returns: The last row that was seen, or `nil` if there is none left.
  private func wrap(after number: Int64, _ ring: KeyRing) throws(StoreError) -> Int64? {
    let reading = try connection.prepare(
      "SELECT number, key FROM session WHERE number > ?1 ORDER BY number LIMIT \(Self.step)")
    defer { reading.finalize() }
    let writing = try connection.prepare("UPDATE session SET key = ?2 WHERE number = ?1")
    defer { writing.finalize() }
    var last: Int64?
    var wrapped: [(number: Int64, key: [UInt8])] = []
    reading.bind(number, 1)
    while try reading.step() {
      let number = reading.integer(0)
      last = number
      // A damaged one stays as it is: its session is refused when it is connected.
      guard let old = try? ring.unwrap(reading.bytes(1)), old.isOutdated else { continue }
      let key = try StoreError.sealing { () throws(SealingError) in try ring.primary.wrap(old.key) }
      wrapped.append((number, key))
    }
    try connection.transaction { () throws(StoreError) in
      for row in wrapped {
        writing.bind(row.number, 1)
        writing.bind(row.key, 2)
        try writing.run()
      }
    }
    return last
  }
}
