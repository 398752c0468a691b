// SPDX-License-Identifier: Apache-2.0

/// What is at hand of the things that were used last, about so many of them.
///
/// Each part is behind a lock of its own; when it is full, a new entry takes the place of one that
/// was not used since it was last passed over. The caller gives each name with its hash, of which
/// the first bits choose the part.
public final class RecencyCache<Name: Hashable & Sendable, Entry: Sendable>: Sendable {
  @usableFromInline struct Part: Sendable {
    @usableFromInline var entries: [Name: (entry: Entry, isUsed: Bool)] = [:]
    /// What there are entries of, and some that are gone.
    @usableFromInline var ring: [Name] = []
    @usableFromInline var hand = 0

    @inlinable init() {}

    @inlinable mutating func find(_ name: Name) -> Entry? {
      guard let known = entries[name] else { return nil }
      if !known.isUsed { entries[name]?.isUsed = true }
      return known.entry
    }

    @inlinable mutating func put(_ entry: Entry, of name: Name, capacity: Int) {
      if entries[name] != nil {
        entries[name] = (entry, true)
        return
      }
      if ring.count < capacity {
        ring.append(name)
      } else {
        while entries[ring[hand]]?.isUsed == true {
          entries[ring[hand]]?.isUsed = false
          hand = (hand + 1) % ring.count
        }
        entries[ring[hand]] = nil
        ring[hand] = name
        hand = (hand + 1) % ring.count
      }
      entries[name] = (entry, false)
    }
  }

  @usableFromInline final class Stripe: Sendable {
    @usableFromInline let part = Guarded(Part())

    @inlinable init() {}
  }

  @usableFromInline let stripes: [Stripe]
  @usableFromInline let capacity: Int

  /// Makes a cache for about so many things.
  @inlinable public init(capacity: Int) {
    stripes = (0..<16).map { _ in Stripe() }
    self.capacity = max(1, capacity / 16)
  }

  /// What is at hand of a name.
  @inlinable public func find(_ name: Name, _ hash: UInt64) -> Entry? {
    stripe(hash).part.withLock { $0.find(name) }
  }

  /// Puts what is at hand of a name in place of what was.
  @inlinable public func put(_ entry: Entry, of name: Name, _ hash: UInt64) {
    stripe(hash).part.withLock { $0.put(entry, of: name, capacity: capacity) }
  }

  /// What is at hand of a name, or else what is to be.
  @inlinable public func find(_ name: Name, _ hash: UInt64, or entry: Entry) -> Entry {
    stripe(hash).part.withLock { part in
      if let known = part.find(name) { return known }
      part.put(entry, of: name, capacity: capacity)
      return entry
    }
  }

  /// Changes what is at hand of a name, if there is anything.
  @inlinable public func change(
    _ name: Name, _ hash: UInt64, _ body: (inout Entry) -> Void
  ) {
    stripe(hash).part.withLock { part in
      guard var known = part.entries[name] else { return }
      body(&known.entry)
      part.entries[name] = known
    }
  }

  /// Changes everything that is at hand.
  @inlinable public func changeAll(_ body: (inout Entry) -> Void) {
    for stripe in stripes {
      stripe.part.withLock { part in
        part.entries = part.entries.mapValues { known in
          var known = known
          body(&known.entry)
          return known
        }
      }
    }
  }

  /// Forgets a name.
  @inlinable public func remove(_ name: Name, _ hash: UInt64) {
    stripe(hash).part.withLock { $0.entries[name] = nil }
  }

  /// Forgets everything.
  @inlinable public func removeAll() {
    for stripe in stripes { stripe.part.withLock { $0 = Part() } }
  }

  @inlinable func stripe(_ hash: UInt64) -> Stripe { stripes[Int(hash >> 60)] }
}
