// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing
import ProsceniumStoring

/// The keys of sessions that are at hand: of those that were used last, and of those that are not
/// on the disk yet.
///
/// Unwrapping and deriving a key costs more than sealing with it.
final class SessionKeys: Sendable {
  /// A key that the next commit of its session writes.
  struct Pending: Sendable {
    let seal: SessionSeal
    let wrapped: [UInt8]
  }

  /// What is at hand of a session.
  struct Entry: Sendable {
    let seal: SessionSeal
    /// What its row says, if the writer has written or checked it: no one else changes a row.
    var mark: RowMark?
  }

  /// How many keys may wait for a commit, more than changes may wait.
  private static let pendingLimit = 1 << 20

  private let stored: RecencyCache<SessionIdentifier, Entry>
  private let pending = Guarded<[SessionIdentifier: Pending]>([:])

  /// The random bytes of this opening.
  let salt: SealingSalt

  /// Makes a collection for about so many sessions.
  init(capacity: Int) {
    stored = RecencyCache(capacity: capacity)
    var generator = SystemRandomness()
    salt = .random(using: &generator)
  }

  /// What a session's states are sealed with, if it is at hand.
  func find(_ session: SessionIdentifier) -> SessionSeal? {
    entry(of: session)?.seal ?? pending(session)?.seal
  }

  /// What is at hand of a session that is on the disk.
  func entry(of session: SessionIdentifier) -> Entry? {
    stored.find(session, session.spread)
  }

  /// Remembers a session's key, unless the writer was faster.
  func remember(_ session: SessionIdentifier, _ key: SessionKey) -> SessionSeal {
    stored.find(session, session.spread, or: Entry(seal: SessionSeal(key, salt))).seal
  }

  /// The key of a session that the next commit writes.
  func pending(_ session: SessionIdentifier) -> Pending? {
    pending.withLock { $0[session] }
  }

  /// Makes a key for a session that has none that can be used, unless one waits already, or was
  /// written since it was looked for.
  ///
  /// - Throws: `limitExceeded` if too many wait.
  func make(for session: SessionIdentifier, _ ring: KeyRing) throws(StoreError) -> SessionSeal {
    var generator = SystemRandomness()
    let key = SessionKey.random(using: &generator)
    let wrapped = try StoreError.sealing(session) { () throws(SealingError) in
      try ring.primary.wrap(key)
    }
    return try pending.withLock { (pending) throws(StoreError) in
      // A key that is written is at hand before it stops waiting: there are never two.
      if let seal = pending[session]?.seal ?? entry(of: session)?.seal { return seal }
      guard pending.count < Self.pendingLimit else {
        throw StoreError(.limitExceeded, session: session, "too many sessions wait for a commit.")
      }
      let new = Pending(seal: SessionSeal(key, salt), wrapped: wrapped)
      pending[session] = new
      return new.seal
    }
  }

  /// Notes what is on the disk of a session; its key does not wait any more.
  func settle(_ session: SessionIdentifier, _ entry: Entry, wasPending: Bool) {
    stored.put(entry, of: session, session.spread)
    guard wasPending else { return }
    pending.withLock { pending in
      if pending[session]?.seal === entry.seal { pending[session] = nil }
    }
  }

  /// Forgets a session's keys.
  func forget(_ session: SessionIdentifier) {
    stored.remove(session, session.spread)
    pending.withLock { $0[session] = nil }
  }
}
