// SPDX-License-Identifier: Apache-2.0

public import Proscenium
package import ProsceniumPrimitives

/// What is at hand of the sessions that were used last, about so many of them.
///
/// Unwrapping and deriving a key costs more than sealing with it. Each part is behind a lock of its
/// own; when it is full, a new entry takes the place of one that was not used since it was last
/// passed over.
package final class KeyCache<Entry: Sendable>: Sendable {
  @usableFromInline struct Part: Sendable {
    @usableFromInline var entries: [SessionIdentifier: (entry: Entry, isUsed: Bool)] = [:]
    /// Whose entries there are, and of some that are gone.
    @usableFromInline var ring: [SessionIdentifier] = []
    @usableFromInline var hand = 0

    @inlinable init() {}

    @inlinable mutating func find(_ session: SessionIdentifier) -> Entry? {
      guard let known = entries[session] else { return nil }
      if !known.isUsed { entries[session]?.isUsed = true }
      return known.entry
    }

    @inlinable mutating func put(
      _ entry: Entry, of session: SessionIdentifier, capacity: Int
    ) {
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
  }

  @usableFromInline final class Stripe: Sendable {
    @usableFromInline let part = Guarded(Part())

    @inlinable init() {}
  }

  @usableFromInline let stripes: [Stripe]
  @usableFromInline let capacity: Int

  /// Makes a cache for about so many sessions.
  @inlinable package init(capacity: Int) {
    stripes = (0..<16).map { _ in Stripe() }
    self.capacity = max(1, capacity / 16)
  }

  /// What is at hand of a session.
  @inlinable package func find(_ session: SessionIdentifier) -> Entry? {
    stripe(of: session).part.withLock { $0.find(session) }
  }

  /// Puts what is at hand of a session in place of what was.
  @inlinable package func put(_ entry: Entry, of session: SessionIdentifier) {
    stripe(of: session).part.withLock { $0.put(entry, of: session, capacity: capacity) }
  }

  /// What is at hand of a session, or else what is to be.
  @inlinable package func find(_ session: SessionIdentifier, or entry: Entry) -> Entry {
    stripe(of: session).part.withLock { part in
      if let known = part.find(session) { return known }
      part.put(entry, of: session, capacity: capacity)
      return entry
    }
  }

  /// Changes what is at hand of a session, if there is anything.
  @inlinable package func change(
    _ session: SessionIdentifier, _ body: (inout Entry) -> Void
  ) {
    stripe(of: session).part.withLock { part in
      guard var known = part.entries[session] else { return }
      body(&known.entry)
      part.entries[session] = known
    }
  }

  /// Forgets a session.
  @inlinable package func remove(_ session: SessionIdentifier) {
    stripe(of: session).part.withLock { $0.entries[session] = nil }
  }

  /// Forgets all sessions.
  @inlinable public func removeAll() {
    for stripe in stripes { stripe.part.withLock { $0 = Part() } }
  }

  @inlinable func stripe(of session: SessionIdentifier) -> Stripe {
    stripes[KeyCacheStripe.index(of: session)]
  }
}

/// Which of the 16 parts of a cache a session is in.
@usableFromInline enum KeyCacheStripe: Sendable {
  @usableFromInline static func index(of session: SessionIdentifier) -> Int {
    Int(session.spread >> 60)
  }
}
