// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
public import Proscenium

extension SQLiteSessionStore {
  /// What is looked for when a state is read.
  private struct Found {
    let sid: SessionNumber
    let place: RecordPlace
    /// The number of the segment that the place is in.
    let segment: Int64
    /// At least as many bytes as the record has.
    let size: Int
    /// Where the segment stands in the file, if somebody has looked.
    let pages: SegmentPages?
  }

  /// How often a state is looked for before the writer has to stand still for it.
  private static let attempts = 2

  /// Reads and opens the saved state of a session.
  ///
  /// - Returns: The encoded state, or `nil` if nothing is kept.
  /// - Throws: `damaged` or `wrongKey` if it cannot be opened; it is then refused until another one
  ///   is saved. `keyUnavailable` while there is no key.
  public func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    answers(of: sessions) { (session) throws(StoreError) in try savedState(of: session) }
  }

  /// Reads the saved state of a session.
  public func savedState(of session: SessionIdentifier) throws(StoreError) -> [UInt8]? {
    var note: SealingNote?
    return try savedState(of: session, note: &note)
  }

  /// Reads and opens the saved state of a session that gets a scene.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - note: The session's keys, if they are at hand.
  /// - Returns: As ``savedState(of:)``.
  /// - Throws: As ``savedState(of:)``.
  public func savedState(
    of session: SessionIdentifier, note: inout SealingNote?
  ) throws(StoreError) -> [UInt8]? {
    guard var found = try find(session) else { return nil }
    let ring = try parts.keyring.ring()
    if let state = openAtOnce(session, found, &note) { return state }
    return try parts.readers.withReader { (reader) throws(StoreError) in
      for _ in 0..<Self.attempts {
        do throws(StoreError) {
          return try open(session, found, ring, &reader, &note)
        } catch  where error.isOfRecord {
          // What the reader sees may be older than what was looked up, or newer.
          reader.release()
          parts.keys.forget(session)
          note = nil
          guard let next = try find(session) else { return nil }
          found = next
        }
      }
      return try judge(session, ring, &reader, &note)
    }
  }

  /// Reads a state while the index and the file agree: what is wrong then is wrong with the record,
  /// which is refused from now on.
  private func judge(
    _ session: SessionIdentifier, _ ring: KeyRing, _ reader: inout StateReader,
    _ note: inout SealingNote?
  ) throws(StoreError) -> [UInt8]? {
    try parts.standstill.withLock { (_) throws(StoreError) in
      guard let found = try find(session) else { return nil }
      do throws(StoreError) {
        return try open(session, found, ring, &reader, &note)
      } catch  where error.isOfRecord {
        parts.index.withLock { $0.quarantine(found.sid, error) }
        throw error
      }
    }
  }

  /// Looks up where the state of a session stands.
  private func find(_ session: SessionIdentifier) throws(StoreError) -> Found? {
    try parts.index.withLock { (index) throws(StoreError) in
      guard index.isLoaded else { throw parts.notLoaded }
      guard let slot = index.find(session) else { return nil }
      if let damage = index.damage(slot) { throw damage }
      let entry = index[slot]
      guard let segment = entry.place.segment else { return nil }
      return Found(
        sid: index.number(slot), place: entry.place, segment: index.segments[segment].number,
        size: entry.weight << 3, pages: index.segments.pages(of: segment))
    }
  }

  /// Opens a state whose key is at hand, and whose record stands in memory or in the mapped file.
  ///
  /// - Returns: The state, or `nil` if SQLite has to be asked for it.
  private func openAtOnce(
    _ session: SessionIdentifier, _ found: Found, _ note: inout SealingNote?
  ) -> [UInt8]? {
    guard let seal = parts.keys.find(session), seal.sid == found.sid else { return nil }
    let state =
      if let segment = parts.recent.withLock({ $0[found.segment] }) {
        unsafe open(session, found, segment.span.bytes, at: found.place.offset, seal)
      } else {
        openMapped(session, found, seal)
      }
    if state != nil { note = seal }
    return state
  }

  /// Opens a state whose record stands in the mapped file.
  private func openMapped(
    _ session: SessionIdentifier, _ found: Found, _ seal: SessionSeal
  ) -> [UInt8]? {
    guard let file = parts.mapped, file.contains(found.segment),
      let pages = found.pages ?? file.find(found.segment)
    else { return nil }
    let record = file.bytes(of: pages, at: found.place.offset, size: found.size)
    let state = record.flatMap { unsafe open(session, found, $0.span.bytes, at: 0, seal) }
    // Where it stands is remembered if it has proved right, and as long as it does.
    let isRight = state != nil
    if isRight != (found.pages != nil), let handle = found.place.segment {
      parts.index.withLock {
        $0.segments.setPages(isRight ? pages : nil, of: handle, number: found.segment)
      }
    }
    return state
  }

  /// Opens a record that was sealed in this opening, and of which nothing is certain before that.
  private func open(
    _ session: SessionIdentifier, _ found: Found, _ bytes: RawSpan, at offset: Int,
    _ seal: SessionSeal
  ) -> [UInt8]? {
    guard let header = RecordHeader(in: bytes, at: offset), header.sid == found.sid.rawValue,
      found.place.fits(header.version), header.opening == parts.opening.number
    else { return nil }
    return try? RecordSealer.open(
      bytes.extracting(offset..<offset + header.recordSize), identifier: session,
      key: seal.recordKey)
  }

  private func open(
    _ session: SessionIdentifier, _ found: Found, _ ring: KeyRing, _ reader: inout StateReader,
    _ note: inout SealingNote?
  ) throws(StoreError) -> [UInt8] {
    let record = try reader.bytes(
      segment: found.segment, offset: found.place.offset, size: found.size)
    guard let record, let header = unsafe RecordHeader(in: record.span.bytes, at: 0) else {
      throw StoreError(
        .damaged, session: session,
        "expected a record in segment \(found.segment) at \(found.place.offset), found none.")
    }
    guard header.sid == found.sid.rawValue, found.place.fits(header.version) else {
      throw StoreError(
        .damaged, session: session,
        "expected the session's record in segment \(found.segment) at \(found.place.offset), found"
          + " that of row \(header.sid), version \(header.opening).\(header.counter).")
    }
    let key = try recordKey(
      of: session, found.sid, header.opening, ring, reader, &note)
    return try unsafe RecordSealer.open(record.span.bytes, identifier: session, key: key)
  }

  /// The key of a session's records of one opening.
  private func recordKey(
    of session: SessionIdentifier, _ sid: SessionNumber, _ opening: UInt64, _ ring: KeyRing,
    _ reader: StateReader, _ note: inout SealingNote?
  ) throws(StoreError) -> RecordKey {
    let sessionKey: SessionKey
    if let known = parts.keys.find(session), known.sid == sid {
      note = known
      if opening == parts.opening.number { return known.recordKey }
      sessionKey = known.sessionKey
    } else {
      guard let row = try reader.key(sid), row.identifier == session else {
        throw StoreError(
          .damaged, session: session,
          "expected the session's key in row \(sid.row), found none or a damaged one.")
      }
      sessionKey = try ring.unwrap(row.wrapped, of: session).key
    }
    guard let salt = try parts.salt(of: opening, reader) else {
      throw StoreError(
        .damaged, session: session,
        "expected the random bytes of opening \(opening), found none or damaged ones.")
    }
    return sessionKey.recordKey(salt: salt)
  }
}

extension StoreError {
  /// Whether a record does not open, rather than that the system refuses to read.
  fileprivate var isOfRecord: Bool { code == .damaged || code == .wrongKey }
}
