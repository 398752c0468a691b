// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Proscenium

extension SQLiteConnection {
  /// How a log is brought into the database.
  enum Checkpoint {
    /// As far as nobody reads what it would overwrite.
    case passive
    /// All of it, and the log is cut off; not at all while somebody reads.
    case truncating

    fileprivate var mode: CInt {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .truncating: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// Brings the log into the database.
  ///
  /// - Returns: Whether all of it is there now.
  /// - Throws: What SQLite refuses; that somebody else reads or does the same is no error.
  func checkpoint(_ checkpoint: Checkpoint) throws(StoreError) -> Bool {
    var (all, done): (CInt, CInt) = (-1, -1)
    let code = unsafe sqlite3_wal_checkpoint_v2(
      pointer, "main", checkpoint.mode, &all, &done)
    switch code & 0xFF {
    case SQLITE_OK: return all == done
    case SQLITE_BUSY, SQLITE_LOCKED: return false
    default: throw error(code, during: "a checkpoint")
    }
  }
}
