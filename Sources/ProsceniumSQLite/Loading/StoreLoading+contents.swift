// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension StoreLoading {
  /// Reads the tables of contents, and makes those again that are damaged or not there.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  mutating func readContents() throws(StoreError) {
    var scan = try RowScan("seg, total, toc", of: "segment_toc", by: "seg", on: connection)
    defer { scan.finalize() }
    var found = SegmentContents.Census()
    var seen: [Int64] = []
    var damaged: [(segment: Int64, contents: [UInt8])] = []
    try scan.forEach(
      { (statement) throws(StoreError) in
        let (segment, total) = (statement.integer(0), statement.integer(1))
        found.add(segment)
        seen.append(segment)
        let isSound = statement.withBytes(2) { take($0, segment: segment, total: total) }
        if !isSound { damaged.append((segment, statement.bytes(2))) }
      }, refused: { $0 })
    let isWhole = !scan.hasGap && isComplete(found, newest: seen.last)
    if !isWhole { try findSegmentsWithoutContents(seen, &found, &damaged) }
    for (segment, contents) in damaged { try recover(segment, contents) }
    if !isWhole, let expected = expectedSegments, expected != found {
      mayMissRecords = true
      note(
        "expected \(expected.count) segments of saved states, found \(found.count): states may be"
          + " lost, and older ones in their place.")
    }
    for index in repaired.indices { repaired[index].contents.census = found }
    skipTakenNumbers()
  }

  /// Sees to it that the next segment gets a number that no row has.
  ///
  /// A damaged row may have any, and SQLite would come upon it where it looks for the place of the
  /// new one.
  private mutating func skipTakenNumbers() {
    let query = "SELECT count(*) FROM segment WHERE seg = "
    var next = records.greatestSegment + 1
    while let count = try? connection.integer(query + "\(next)"), count > 0 {
      records.add(segment: next)
      next += 1
    }
  }

  /// Takes a table of contents in.
  ///
  /// - Returns: Whether it has its checksum; nothing is taken otherwise.
  private mutating func take(_ contents: RawSpan, segment: Int64, total: Int64) -> Bool {
    records.add(segment: segment)
    guard SegmentContents.hasChecksum(contents, segment: segment, total: total) else {
      // What it says of all segments is a hint if it is the newest one.
      expectedSegments =
        SegmentContents.count(in: contents) > 0
        ? SegmentContents.census(in: contents) : nil
      return false
    }
    expectedSegments = SegmentContents.census(in: contents)
    let handle = index.segments.add(segment, total: 0, live: 0)
    var offset = 0
    var weight = 0
    for place in 0..<SegmentContents.count(in: contents) {
      let entry = SegmentContents.entry(place, in: contents)
      records.add(entry, segment: handle, offset: offset)
      offset += entry.recordSize
      weight += SessionIndex.weight(entry.recordSize)
    }
    index.segments.setTotal(weight << 3, of: handle)
    return true
  }

  /// Whether all segments have their tables of contents, as the newest of them says.
  private func isComplete(_ found: SegmentContents.Census, newest: Int64?) -> Bool {
    guard let greatest = try? connection.integer("SELECT max(seg) FROM segment") else {
      return false
    }
    return greatest == newest ?? 0 && (found == expectedSegments || newest == nil)
  }

  /// Looks for segments whose tables of contents vanished.
  private mutating func findSegmentsWithoutContents(
    _ seen: [Int64], _ found: inout SegmentContents.Census,
    _ damaged: inout [(segment: Int64, contents: [UInt8])]
  ) throws(StoreError) {
    let known = Set(seen)
    var scan = try RowScan("seg", of: "segment", by: "seg", on: connection)
    defer { scan.finalize() }
    var missing: [Int64] = []
    try scan.forEach(
      { (statement) throws(StoreError) in
        let segment = statement.integer(0)
        if !known.contains(segment) { missing.append(segment) }
      }, refused: { $0 })
    for segment in missing {
      records.add(segment: segment)
      // What the newest one says is not known then.
      if segment > seen.last ?? Int64.min { expectedSegments = nil }
      found.add(segment)
      damaged.append((segment, []))
    }
    if scan.hasGap {
      mayMissRecords = true
      note("the table segment is damaged: states may be lost, and older ones in their place.")
    }
  }

  /// Makes a table of contents again from the records of its segment.
  private mutating func recover(_ segment: Int64, _ contents: [UInt8]) throws(StoreError) {
    let recovery = SegmentRecovery(connection: connection, parts: parts)
    let recovered = try recovery.recover(segment, damaged: contents) { key(of: $0) }
    guard let recovered else {
      mayMissRecords = true
      note("segment \(segment) cannot be read, and neither can its table of contents.")
      return
    }
    var total = 0
    for record in recovered.records { total += SessionIndex.weight(record.entry.recordSize) << 3 }
    let handle = index.segments.add(segment, total: total, live: 0)
    for record in recovered.records {
      records.add(record.entry, segment: handle, offset: record.offset)
    }
    for entry in recovered.damaged { records.addDamaged(entry) }
    note("the table of contents of segment \(segment) was damaged, and was made again.")
    if recovered.isRepairable {
      repaired.append((segment, recovered))
    } else {
      index.segments.setAside(handle)
    }
  }
}
