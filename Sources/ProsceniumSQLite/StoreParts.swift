// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import Synchronization

/// What the writer, the readers and those who seal share of an open store.
final class StoreParts: Sendable {
  let path: String
  let options: SQLiteSessionStore.Options
  let keyring: ApplicationKeyring
  let readers: ReaderPool

  /// The opening that the store is in.
  let opening: OpeningRow

  /// The keys that are at hand.
  let keys: SessionKeys

  /// The segments that were written last.
  let recent = Guarded(RecentSegments())

  /// The segments that can be read without SQLite.
  let mapped: MappedSegments?

  /// What is in memory of the sessions.
  let index = Guarded(SessionIndex(capacity: 0, nextSequence: 1))

  /// Is held while a transaction ends and what is in memory follows it: whoever holds it sees both
  /// agree.
  let standstill = Guarded(())

  /// How many records were sealed in this opening.
  let sealed = Atomic<UInt64>(0)

  /// The random bytes of earlier openings that were asked for.
  private let salts = Guarded<[UInt64: [UInt8]]>([:])

  private static let saltLimit = 4_096

  init(
    path: String, options: SQLiteSessionStore.Options, keyring: ApplicationKeyring,
    opening: OpeningRow, mapped: MappedSegments?
  ) {
    self.path = path
    self.options = options
    self.keyring = keyring
    self.opening = opening
    self.mapped = mapped
    readers = ReaderPool(path)
    keys = SessionKeys(capacity: options.keyCacheSize)
  }

  /// The error for work that needs a loaded store.
  var notLoaded: StoreError {
    StoreError(.failed, "\(path): expected a store that was loaded, found one that was not.")
  }

  /// The random bytes of an opening.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  func salt(of number: UInt64, _ reader: StateReader) throws(StoreError) -> [UInt8]? {
    if number == opening.number { return opening.salt }
    if let salt = salts.withLock({ $0[number] }) { return salt }
    guard let row = try reader.opening(number) else { return nil }
    salts.withLock { salts in
      if salts.count >= Self.saltLimit { salts.removeAll() }
      salts[number] = row.salt
    }
    return row.salt
  }
}
