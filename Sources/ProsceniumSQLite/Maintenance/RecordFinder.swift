// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Finds the newest records of some sessions, by going through all tables of contents.
struct RecordFinder {
  /// Where a record stands.
  struct Found {
    let header: RecordHeader
    let segment: Int64
    let offset: Int
  }

  /// The sessions, in ascending order.
  private var sids: [SessionNumber]
  private var newest: [Found?]

  /// What is wrong with the tables of contents.
  private(set) var damage: [StoreError] = []

  /// Looks for the records of sessions.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  init(_ sids: [SessionNumber], in view: StoreView) throws(StoreError) {
    self.sids = sids
    newest = Array(repeating: nil, count: sids.count)
    var scan = try RowScan("seg, total, toc", of: "segment_toc", by: "seg", on: view.connection)
    defer { scan.finalize() }
    var finder = self
    try scan.forEach(
      { (statement) throws(StoreError) in
        let (segment, total) = (statement.integer(0), statement.integer(1))
        let isSound = statement.withBytes(2) { bytes in
          finder.take(bytes, segment: segment, total: total)
        }
        if !isSound { finder.takeHeaders(of: segment, in: view) }
      }, refused: { $0 })
    if scan.hasGap {
      finder.damage.append(
        StoreError(.damaged, "a part of the table segment_toc cannot be read."))
    }
    self = finder
  }

  /// The newest record of a session, if it is newer than a version.
  func record(of sid: SessionNumber, after version: UInt64) -> Found? {
    guard let index = index(of: sid), let found = newest[index],
      found.header.version > version
    else { return nil }
    return found
  }

  private mutating func take(_ contents: RawSpan, segment: Int64, total: Int64) -> Bool {
    guard SegmentContents.hasChecksum(contents, segment: segment, total: total) else {
      return false
    }
    var offset = 0
    for place in 0..<SegmentContents.count(in: contents) {
      let entry = SegmentContents.entry(place, in: contents)
      take(
        Found(
          header: RecordHeader(
            sid: entry.sid.rawValue, epoch: entry.epoch, length: entry.length,
            version: entry.version), segment: segment, offset: offset))
      offset += entry.recordSize
    }
    return true
  }

  /// Takes the records' own word where the table of contents is damaged.
  private mutating func takeHeaders(of segment: Int64, in view: StoreView) {
    damage.append(
      StoreError(
        .damaged, "the table of contents of segment \(segment) does not have its checksum."))
    guard let body = view.bytes(segment: segment) else { return }
    var offset = 0
    while let header = unsafe RecordHeader(in: body.span.bytes, at: offset) {
      take(Found(header: header, segment: segment, offset: offset))
      offset += header.recordSize
    }
  }

  private mutating func take(_ found: Found) {
    guard let index = index(of: SessionNumber(rawValue: found.header.sid)) else { return }
    if let known = newest[index]?.header,
      (known.epoch, known.version) >= (found.header.epoch, found.header.version)
    {
      return
    }
    newest[index] = found
  }

  private func index(of sid: SessionNumber) -> Int? {
    var (low, high) = (0, sids.count)
    while low < high {
      let middle = low + (high - low) / 2
      if sids[middle].rawValue < sid.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < sids.count && sids[low] == sid ? low : nil
  }
}
