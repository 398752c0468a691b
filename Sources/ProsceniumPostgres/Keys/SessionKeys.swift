// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives
  import ProsceniumSealing
  import ProsceniumStoring

  /// The keys of the sessions that were used last.
  struct SessionKeys: Sendable {
    struct Entry: Sendable {
      let seal: SessionSeal
      /// The key under the application key.
      let wrapped: [UInt8]
      /// Whether the session is kept with this key, and with a state.
      var isStored: Bool
    }

    private let cache: RecencyCache<SessionIdentifier, Entry>
    private let salt: SealingSalt

    init(capacity: Int) {
      cache = RecencyCache(capacity: capacity)
      var generator = SystemRandomness()
      salt = .random(using: &generator)
    }

    /// The key that the next state of a session is sealed with; a new one if there is none at hand.
    func next(
      of session: SessionIdentifier, _ ring: () throws(StoreError) -> KeyRing
    ) throws(StoreError) -> Entry {
      if let known = cache.find(session, session.spread) { return known }
      let ring = try ring()
      var generator = SystemRandomness()
      let key = SessionKey.random(using: &generator)
      let wrapped = try StoreError.sealing(session) { () throws(SealingError) in
        try ring.primary.wrap(key)
      }
      return cache.find(
        session, session.spread,
        or: Entry(seal: SessionSeal(key, salt), wrapped: wrapped, isStored: false))
    }

    /// What opens a state that is kept with a key.
    func seal(
      of session: SessionIdentifier, keptAs wrapped: [UInt8],
      _ ring: () throws(StoreError) -> KeyRing
    ) throws(StoreError) -> SessionSeal {
      if let known = cache.find(session, session.spread), known.wrapped == wrapped {
        return known.seal
      }
      let ring = try ring()
      let key: SessionKey
      do throws(SealingError) {
        key = try ring.unwrap(wrapped).key
      } catch {
        throw StoreError(
          .damaged, session: session,
          "expected a session as it was written: \(error.message)")
      }
      let seal = SessionSeal(key, salt)
      // A state that was sealed since may have another key, which goes with it.
      _ = cache.find(
        session, session.spread, or: Entry(seal: seal, wrapped: wrapped, isStored: true))
      return seal
    }

    func isStored(_ session: SessionIdentifier, _ wrapped: ArraySlice<UInt8>) -> Bool {
      guard let known = cache.find(session, session.spread) else { return false }
      return known.isStored && known.wrapped.elementsEqual(wrapped)
    }

    /// Notes that a session was written with a key, or with none.
    func noteStored(_ session: SessionIdentifier, _ wrapped: [UInt8]?) {
      cache.change(session, session.spread) { $0.isStored = $0.wrapped == wrapped }
    }

    /// Notes that nothing is known of what the database has: it can have gone back.
    func doubtAll() {
      cache.changeAll { $0.isStored = false }
    }

    func forget(_ session: SessionIdentifier) {
      cache.remove(session, session.spread)
    }

    func forgetAll() {
      cache.removeAll()
    }
  }
#endif
