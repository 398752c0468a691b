// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing

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

  /// A part of the keys behind a lock of its own.
  ///
  /// When it is full, a new entry takes the place of one that was not used since it was last passed
  /// over.
  private struct Part: Sendable {
    private var entries: [SessionIdentifier: (entry: Entry, isUsed: Bool)] = [:]
    /// Whose entries there are, and of some that are gone.
    private var ring: [SessionIdentifier] = []
    private var hand = 0

    mutating func find(_ session: SessionIdentifier) -> Entry? {
      guard let known = entries[session] else { return nil }
      if !known.isUsed { entries[session]?.isUsed = true }
      return known.entry
    }

    mutating func put(_ entry: Entry, of session: SessionIdentifier, capacity: Int) {
      if entries[session] != nil {
        entries[session] = (entry, true)
        return
      }
      if ring.count < capacity {
        ring.append(session)
      } else {
        while entries[ring[hand]]?.isUsed == true {
          entries[ring[hand]]?.isUsed = false
          hand = (hand + 1) % ring.count
        }
        entries[ring[hand]] = nil
        ring[hand] = session
        hand = (hand + 1) % ring.count
      }
      entries[session] = (entry, false)
    }

    mutating func remove(_ session: SessionIdentifier) {
      entries[session] = nil
    }
  }

  private final class Stripe: Sendable {
    let part = Guarded(Part())
  }

  private static let stripeBits: UInt64 = 4

  /// How many keys may wait for a commit, more than changes may wait.
  private static let pendingLimit = 1 << 20

  private let stripes = (0..<1 << stripeBits).map { _ in Stripe() }
  private let capacity: Int
  private let pending = Guarded<[SessionIdentifier: Pending]>([:])

  /// The random bytes of this opening.
  let salt: SealingSalt

  /// Makes a collection for about so many sessions.
  init(capacity: Int) {
    self.capacity = max(1, capacity >> Self.stripeBits)
    var generator = SystemRandomness()
    salt = .random(using: &generator)
  }

  /// What a session's states are sealed with, if it is at hand.
  func find(_ session: SessionIdentifier) -> SessionSeal? {
    entry(of: session)?.seal ?? pending(session)?.seal
  }

  /// What is at hand of a session that is on the disk.
  func entry(of session: SessionIdentifier) -> Entry? {
    stripe(of: session).part.withLock { $0.find(session) }
  }

  /// Remembers a session's key, unless the writer was faster.
  func remember(_ session: SessionIdentifier, _ key: SessionKey) -> SessionSeal {
    let seal = SessionSeal(key, salt)
    return stripe(of: session).part.withLock { part in
      if let known = part.find(session) { return known.seal }
      part.put(Entry(seal: seal), of: session, capacity: capacity)
      return seal
    }
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
    stripe(of: session).part.withLock { $0.put(entry, of: session, capacity: capacity) }
    guard wasPending else { return }
    pending.withLock { pending in
      if pending[session]?.seal === entry.seal { pending[session] = nil }
    }
  }

  /// Forgets a session's keys.
  func forget(_ session: SessionIdentifier) {
    stripe(of: session).part.withLock { $0.remove(session) }
    pending.withLock { $0[session] = nil }
  }

  private func stripe(of session: SessionIdentifier) -> Stripe {
    stripes[Int(session.spread >> (64 - Self.stripeBits))]
  }
}
