// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The table of contents of a segment: which records stand in it, in their order.
///
/// In the file: for each record sid 8 bytes, version 8, epoch 4 and length 4, little-endian; then
/// what the store's segments came to after the commit that wrote the row, and a checksum.
struct SegmentContents {
  /// One record.
  struct Entry: Equatable, Sendable {
    var sid: SessionNumber
    var version: UInt64
    var epoch: UInt32
    /// The number of bytes of the state, without header and seal.
    var length: UInt32

    /// The number of bytes of the record.
    var recordSize: Int { RecordHeader.overhead + Int(length) }

    init(_ header: RecordHeader) {
      self.init(
        sid: SessionNumber(rawValue: header.sid), version: header.version, epoch: header.epoch,
        length: header.length)
    }

    init(sid: SessionNumber, version: UInt64, epoch: UInt32, length: UInt32) {
      self.sid = sid
      self.version = version
      self.epoch = epoch
      self.length = length
    }
  }

  /// How many segments there are, and their numbers joined by XOR.
  ///
  /// The newest row tells what has to be there, so that rows which vanish are noticed.
  struct Census: Equatable, Sendable {
    var count: Int64 = 0
    var sum: Int64 = 0

    mutating func add(_ segment: Int64) {
      count += 1
      sum ^= segment
    }

    mutating func remove(_ segment: Int64) {
      count -= 1
      sum ^= segment
    }
  }

  static let entrySize = 24
  private static let trailerSize = 24

  private(set) var entries: [Entry] = []
  private(set) var census = Census()

  /// Reads a table of contents; gives `nil` if it does not have its checksum.
  ///
  /// - Parameters:
  ///   - bytes: The column `toc`.
  ///   - segment: The number of the row.
  ///   - total: The column `total`, the number of bytes of the segment.
  init?(_ bytes: RawSpan, segment: Int64, total: Int64) {
    guard Self.hasChecksum(bytes, segment: segment, total: total) else { return nil }
    let count = (bytes.byteCount - Self.trailerSize) / Self.entrySize
    entries.reserveCapacity(count)
    for index in 0..<count { entries.append(Self.entry(index, in: bytes)) }
    census = Self.census(in: bytes)
  }

  /// The number of entries of bytes that have their checksum.
  static func count(in bytes: RawSpan) -> Int {
    max(0, (bytes.byteCount - trailerSize) / entrySize)
  }

  /// One entry of bytes, whether they have their checksum or not.
  @inline(__always)
  static func entry(_ index: Int, in bytes: RawSpan) -> Entry {
    let offset = index * entrySize
    let lengths = load(bytes, offset + 16)
    return Entry(
      sid: SessionNumber(rawValue: load(bytes, offset)), version: load(bytes, offset + 8),
      epoch: UInt32(truncatingIfNeeded: lengths), length: UInt32(lengths >> 32))
  }

  /// The census in bytes that have their checksum.
  static func census(in bytes: RawSpan) -> Census {
    let offset = bytes.byteCount - trailerSize
    return Census(
      count: Int64(bitPattern: load(bytes, offset)), sum: Int64(bitPattern: load(bytes, offset + 8))
    )
  }

  /// Whether bytes are a table of contents with its checksum.
  static func hasChecksum(_ bytes: RawSpan, segment: Int64, total: Int64) -> Bool {
    let count = bytes.byteCount
    guard count >= trailerSize, (count - trailerSize) % entrySize == 0 else { return false }
    let sum = checksum(bytes.extracting(0..<count - 8), segment: segment, total: total)
    return sum == Int64(bitPattern: load(bytes, count - 8))
  }

  /// Appends an entry to the bytes of a table of contents.
  @inline(__always)
  static func append(_ entry: Entry, to bytes: inout [UInt8]) {
    append(entry.sid.rawValue, to: &bytes)
    append(entry.version, to: &bytes)
    append(UInt64(entry.length) << 32 | UInt64(entry.epoch), to: &bytes)
  }

  /// Ends the bytes of a table of contents.
  static func close(_ bytes: inout [UInt8], segment: Int64, total: Int64, census: Census) {
    append(UInt64(bitPattern: census.count), to: &bytes)
    append(UInt64(bitPattern: census.sum), to: &bytes)
    let sum = unsafe checksum(bytes.span.bytes, segment: segment, total: total)
    append(UInt64(bitPattern: sum), to: &bytes)
  }

  /// Changes the census of a closed table of contents.
  static func replaceCensus(
    _ bytes: inout [UInt8], segment: Int64, total: Int64, census: Census
  ) {
    bytes.removeLast(trailerSize)
    close(&bytes, segment: segment, total: total, census: census)
  }

  private static func checksum(_ bytes: RawSpan, segment: Int64, total: Int64) -> Int64 {
    var sum = RowChecksum(.contents)
    sum.add(segment)
    sum.add(total)
    sum.add(bytes)
    return sum.value
  }

  @inline(__always)
  private static func load(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: word.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}
