// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Puts records together to segments.
struct SegmentBuilder: Sendable {
  /// Where a record came to stand.
  struct Placed: Sendable {
    let sid: SessionNumber
    let version: UInt64
    let size: Int
    let offset: Int
  }

  /// A segment that is in the transaction.
  struct Segment: Sendable {
    let number: Int64
    let bytes: [UInt8]
    /// Its records' places among those of the builder.
    let records: Range<Int>
  }

  /// From how many bytes on a segment takes no further record.
  ///
  /// SQLite finds a place in a long value page by page: longer segments make restoring slower, and
  /// shorter ones make more of them. With a record of a thousand bytes more, 56 KiB fill seven
  /// pages and leave as much for the page of the row, so that several segments share that one.
  static let size = 56 << 10

  private(set) var placed: ContiguousArray<Placed> = []
  private(set) var segments: [Segment] = []
  private(set) var bytes: [UInt8] = []
  private var contents: [UInt8] = []
  private var first = 0

  /// The bytes of all records.
  private(set) var byteCount = 0

  /// Whether the records that were added make up a segment.
  var isFull: Bool { bytes.count >= Self.size }

  /// Whether there are records that stand in no segment yet.
  var isEmpty: Bool { bytes.isEmpty }

  /// Forgets everything but the memory.
  mutating func reset() {
    placed.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    contents.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    first = 0
    byteCount = 0
  }

  /// Adds a record.
  mutating func add(_ entry: SegmentContents.Entry, _ record: RawSpan) {
    note(entry)
    unsafe record.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Adds a record.
  mutating func add(_ entry: SegmentContents.Entry, _ record: [UInt8]) {
    note(entry)
    bytes.append(contentsOf: record)
  }

  private mutating func note(_ entry: SegmentContents.Entry) {
    SegmentContents.append(entry, to: &contents)
    placed.append(
      Placed(
        sid: entry.sid, version: entry.version, size: entry.recordSize, offset: bytes.count))
    byteCount += entry.recordSize
  }

  /// Writes the records that were added as a segment of their own.
  ///
  /// - Parameters:
  ///   - number: The number of its row.
  ///   - census: All segments, with this one.
  ///   - statements: The statements of the transaction that is open.
  /// - Throws: What SQLite refuses.
  mutating func write(
    _ number: Int64, census: SegmentContents.Census, with statements: WriterStatements
  ) throws(StoreError) {
    // A copy has nothing in reserve, and the next segment is put together where this one was.
    var segment: [UInt8] = []
    segment.reserveCapacity(bytes.count)
    segment.append(contentsOf: bytes)
    bytes.removeAll(keepingCapacity: true)
    let total = Int64(segment.count)
    statements.writeSegment.bind(number, 1)
    try statements.writeSegment.run(with: segment, 2)
    SegmentContents.close(&contents, segment: number, total: total, census: census)
    statements.writeContents.bind(number, 1)
    statements.writeContents.bind(total, 2)
    try statements.writeContents.run(with: contents, 3)
    segments.append(Segment(number: number, bytes: segment, records: first..<placed.count))
    first = placed.count
    contents.removeAll(keepingCapacity: true)
  }
}
