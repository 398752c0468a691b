// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
public import Proscenium
import Synchronization

extension SQLiteSessionStore {
  /// Seals an encoded state, so that it can be committed.
  ///
  /// - Parameters:
  ///   - state: The encoded state.
  ///   - session: The session; its insertion may be committed later.
  ///   - epoch: The epoch in which it is to be saved.
  ///   - note: The session's keys.
  /// - Returns: What a change brings.
  /// - Throws: `keyUnavailable` while there is no key; `limitExceeded` if the state is too large.
  public func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32, note: inout SealingNote?
  ) throws(StoreError) -> [UInt8] {
    guard state.byteCount <= Self.stateLimit else {
      throw StoreError(
        .limitExceeded, session: session,
        "expected a state of at most \(Self.stateLimit) bytes, found \(state.byteCount).")
    }
    let seal: SessionSeal
    if let known = note as? SessionSeal, known.isGood(in: parts.opening) {
      seal = known
    } else {
      seal = try self.seal(of: session)
      note = seal
    }
    let counter = parts.sealed.wrappingAdd(1, ordering: .relaxed).oldValue
    guard let version = RecordHeader.version(opening: parts.opening.number, counter: counter + 1)
    else {
      throw StoreError(
        .limitExceeded, "\(parts.path): expected a store that is opened anew before so many states."
      )
    }
    return try RecordSealer.seal(
      state, sid: seal.sid.rawValue, epoch: epoch, version: version, identifier: session,
      key: seal.recordKey)
  }

  /// The largest encoded state, 128 MiB.
  static let stateLimit = 128 << 20

  // MARK: - Keys

  /// The keys of a session, made if there are none.
  private func seal(of session: SessionIdentifier) throws(StoreError) -> SessionSeal {
    if let seal = parts.keys.find(session) { return seal }
    let ring = try parts.keyring.ring()
    while true {
      let found: (sid: SessionNumber?, pending: PendingSessions.Session?) =
        try parts.index.withLock { (index) throws(StoreError) in
          guard index.isLoaded else { throw parts.notLoaded }
          return (index.find(session).map(index.number), index.pending[session])
        }
      if let pending = found.pending { return try remember(session, pending) }
      if let sid = found.sid, let key = try readKey(of: session, sid, ring) {
        return remember(session, sid, key)
      }
      if let seal = try makeKey(of: session, found.sid, ring) { return seal }
    }
  }

  /// Reads the key of a session that is kept.
  ///
  /// - Returns: The key, or `nil` if there is none that can be used.
  private func readKey(
    of session: SessionIdentifier, _ sid: SessionNumber, _ ring: KeyRing
  ) throws(StoreError) -> SessionKey? {
    try parts.readers.withReader { (reader) throws(StoreError) in
      var row = try reader.key(sid)
      if row == nil {
        // The reader may see a state of before the session's insertion.
        reader.release()
        row = try reader.key(sid)
      }
      guard let row, row.identifier == session, !row.wrapped.isEmpty else { return nil }
      return try? ring.unwrap(row.wrapped, of: session).key
    }
  }

  /// Makes a key, and a number for a session that is not kept yet.
  ///
  /// - Returns: What is known then, or `nil` if the session was inserted or removed meanwhile.
  private func makeKey(
    of session: SessionIdentifier, _ sid: SessionNumber?, _ ring: KeyRing
  ) throws(StoreError) -> SessionSeal? {
    var generator = SystemRandomness()
    let key = SessionKey.random(using: &generator)
    let wrapped = try ring.primary.wrap(key)
    let (made, dropped) = try parts.index.withLock { (index) throws(StoreError) in
      let kept = index.find(session).map(index.number)
      guard index.pending[session] == nil, kept == sid else {
        return (nil as PendingSessions.Session?, nil as SessionIdentifier?)
      }
      let number = if let kept { kept } else { try index.takeNumber() }
      let pending = PendingSessions.Session(
        sid: number, key: PendingSessions.Key(sessionKey: key, wrapped: wrapped),
        isNew: kept == nil)
      return (pending, index.addPending(pending, for: session))
    }
    if let dropped { parts.keys.forget(dropped) }
    return try made.map { (pending) throws(StoreError) in try remember(session, pending) }
  }

  private func remember(
    _ session: SessionIdentifier, _ pending: PendingSessions.Session
  ) throws(StoreError) -> SessionSeal {
    guard let key = pending.key else {
      throw StoreError(
        .keyUnavailable, session: session,
        "expected an application key, found none when the session's insertion began.")
    }
    return remember(session, pending.sid, key.sessionKey)
  }

  private func remember(
    _ session: SessionIdentifier, _ sid: SessionNumber, _ key: SessionKey
  ) -> SessionSeal {
    let seal = SessionSeal(sid: sid, sessionKey: key, in: parts.opening)
    parts.keys.remember(session, seal)
    return seal
  }
}
