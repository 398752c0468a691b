// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import ProsceniumStoring
import Synchronization

/// What the writer, the readers and those who seal share of an open store.
final class StoreParts: Sendable {
  let path: String
  let options: StoreOptions
  let keyring: ApplicationKeyring
  let readers: ReaderPool

  /// The keys that are at hand.
  let keys: SessionKeys

  let configurations = Guarded(ConfigurationTable())

  /// Whether the store was loaded.
  let isLoaded = Atomic<Bool>(false)

  /// How many records were sealed in this opening.
  let sealed = Atomic<UInt64>(0)

  init(path: String, options: StoreOptions, keyring: ApplicationKeyring) {
    self.path = path
    self.options = options
    self.keyring = keyring
    readers = ReaderPool(path)
    keys = SessionKeys(capacity: options.keyCacheSize)
  }

  /// Makes sure that the store was loaded.
  ///
  /// - Throws: `failed`.
  func requireLoaded() throws(StoreError) {
    guard isLoaded.load(ordering: .acquiring) else {
      throw StoreError(
        .failed, "\(path): expected a store that was loaded, found one that was not.")
    }
  }

  /// The application's keys.
  ///
  /// - Throws: `wrongKey`, or whatever the provider throws.
  func ring() throws(StoreError) -> KeyRing {
    try StoreError.sealing { () throws(SealingError) in try keyring.ring() }
  }

  /// The keys of a session that is kept with one.
  ///
  /// - Throws: `damaged` if its key cannot be unwrapped, or `keyUnavailable`.
  func seal(of row: StoredRow) throws(StoreError) -> SessionSeal {
    if let seal = keys.find(row.identifier) { return seal }
    let ring = try ring()
    do throws(SealingError) {
      return keys.remember(row.identifier, try ring.unwrap(row.key).key)
    } catch {
      throw row.damage(error.message)
    }
  }

  /// The keys that a session's next state is sealed with; made if there are none that can be used.
  ///
  /// - Throws: `keyUnavailable` while there is no key; what SQLite refuses.
  func sealForNext(_ session: SessionIdentifier) throws(StoreError) -> SessionSeal {
    if let seal = keys.find(session) { return seal }
    let ring = try ring()
    let row: StoredRow?
    do throws(StoreError) {
      row = try readers.withReader { (reader) throws(StoreError) in try reader.row(of: session) }
    } catch  where error.code == .damaged {
      row = nil
    }
    if let row, !row.key.isEmpty, let seal = try? seal(of: row) { return seal }
    return try keys.make(for: session, ring)
  }

  /// Opens the saved state that was found of a session.
  ///
  /// - Returns: The state, or `nil` if it has none.
  /// - Throws: `damaged` if anything of it is not as it was written; `keyUnavailable`.
  func open(_ found: StateReader.Found) throws(StoreError) -> [UInt8]? {
    try found.open(configurations.withLock { $0 }) { (row) throws(StoreError) in
      try seal(of: row)
    }
  }
}
