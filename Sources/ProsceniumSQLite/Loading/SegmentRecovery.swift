// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a segment's records say of its contents, in place of a table of contents that is damaged.
struct RecoveredContents {
  /// A record that has its seal, or would have if there were a key.
  struct Record {
    let entry: SegmentContents.Entry
    let offset: Int
  }

  /// The records, in their order.
  var records: [Record] = []

  /// What stands or stood there of sessions, and cannot be read.
  var damaged: [SegmentContents.Entry] = []

  /// The number of bytes of the segment; 0 if it cannot be read.
  var total = 0

  /// All segments.
  var census = SegmentContents.Census()

  /// Whether a table of contents can say everything that is known.
  var isRepairable: Bool { total > 0 && damaged.isEmpty }

  /// The bytes of the table of contents; between the records stand entries of no session.
  func bytes(_ segment: Int64) -> [UInt8]? {
    var bytes: [UInt8] = []
    var offset = 0
    func fill(_ end: Int) -> Bool {
      if end == offset { return true }
      guard end - offset >= RecordHeader.overhead else { return false }
      SegmentContents.append(
        SegmentContents.Entry(
          sid: SessionNumber(rawValue: 0), version: 0, epoch: 0,
          length: UInt32(end - offset - RecordHeader.overhead)), to: &bytes)
      return true
    }
    for record in records {
      guard fill(record.offset) else { return nil }
      SegmentContents.append(record.entry, to: &bytes)
      offset = record.offset + record.entry.recordSize
    }
    guard fill(total) else { return nil }
    SegmentContents.close(&bytes, segment: segment, total: Int64(total), census: census)
    return bytes
  }
}

/// Makes the table of contents of a segment again from the records' headers.
///
/// A record is found by its seal. What does not have it and may have been a session's newest record
/// is told, so that no older one takes its place.
struct SegmentRecovery {
  let connection: SQLiteConnection
  let parts: StoreParts

  /// What bytes that look like a record turn out to be.
  private enum Finding {
    case record
    /// A session's, without its seal.
    case damaged
    case nothing
  }

  /// Reads a segment.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - contents: What there is of its table of contents.
  ///   - key: Finds the keys of sessions.
  /// - Returns: The contents, or `nil` if nothing of them can be known.
  /// - Throws: What SQLite refuses, other than damage.
  func recover(
    _ segment: Int64, damaged contents: [UInt8], key: (SessionNumber) -> KeyRow?
  ) throws(StoreError) -> RecoveredContents? {
    let claims = claims(contents, key)
    var recovered = RecoveredContents()
    guard let body = try body(segment) else {
      // A session whose record was here has lost it, unless it has a newer one.
      recovered.damaged = claims.map(\.entry)
      return claims.isEmpty ? nil : recovered
    }
    recovered.total = body.count
    var offset = 0
    while let header = unsafe nextHeader(body.span.bytes, &offset) {
      switch try unsafe examine(header, body.span.bytes, offset, key) {
      case .record:
        recovered.records.append(.init(entry: .init(header), offset: offset))
        offset += header.recordSize
      case .damaged:
        recovered.damaged.append(.init(header))
        offset += 1
      case .nothing:
        offset += 1
      }
    }
    let known = Set(recovered.records.map(\.offset))
    recovered.damaged += claims.filter { !known.contains($0.offset) }.map(\.entry)
    return recovered
  }

  /// What a damaged table of contents says, where it is likely.
  private func claims(
    _ contents: [UInt8], _ key: (SessionNumber) -> KeyRow?
  ) -> [RecoveredContents.Record] {
    var claims: [RecoveredContents.Record] = []
    var offset = 0
    let bytes = unsafe contents.span.bytes
    for place in 0..<SegmentContents.count(in: bytes) {
      let entry = SegmentContents.entry(place, in: bytes)
      if isPossible(entry), key(entry.sid) != nil {
        claims.append(.init(entry: entry, offset: offset))
      }
      offset += entry.recordSize
    }
    return claims
  }

  private func isPossible(_ entry: SegmentContents.Entry) -> Bool {
    entry.sid.isValid && entry.version >> 40 <= parts.opening.number && entry.version != 0
  }

  private func body(_ segment: Int64) throws(StoreError) -> [UInt8]? {
    let statement = try connection.prepare("SELECT body FROM segment WHERE seg = ?1")
    defer { statement.finalize() }
    statement.bind(segment, 1)
    do throws(StoreError) {
      return try statement.step() ? statement.bytes(0) : nil
    } catch  where error.code == .damaged {
      return nil
    }
  }

  /// Finds the next bytes that look like a record's header.
  private func nextHeader(_ body: RawSpan, _ offset: inout Int) -> RecordHeader? {
    while offset <= body.byteCount - RecordHeader.overhead {
      if let header = RecordHeader(in: body, at: offset), isPossible(.init(header)) {
        return header
      }
      offset += 1
    }
    return nil
  }

  private func examine(
    _ header: RecordHeader, _ body: RawSpan, _ offset: Int, _ key: (SessionNumber) -> KeyRow?
  ) throws(StoreError) -> Finding {
    guard let row = key(SessionNumber(rawValue: header.sid)) else { return .nothing }
    let ring: KeyRing
    do throws(StoreError) {
      ring = try parts.keyring.ring()
    } catch  where error.code == .keyUnavailable {
      // Whether it has its seal is seen when it is opened.
      return .record
    }
    guard let salt = try OpeningRow.read(header.opening, on: connection)?.salt,
      let sessionKey = try? ring.unwrap(row.wrapped, of: row.identifier).key
    else { return .damaged }
    let record = body.extracting(offset..<offset + header.recordSize)
    let state = try? RecordSealer.open(
      record, identifier: row.identifier, key: sessionKey.recordKey(salt: salt))
    return state == nil ? .damaged : .record
  }
}
