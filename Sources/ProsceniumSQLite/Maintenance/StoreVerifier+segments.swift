// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension StoreVerifier {
  /// Checks every segment with its table of contents, and every record in it.
  mutating func checkSegments(_ progress: (Int, Int) -> Void) throws(StoreError) {
    let numbers = try segmentNumbers()
    for (index, segment) in numbers.enumerated() {
      progress(index, numbers.count)
      try check(segment)
    }
    progress(numbers.count, numbers.count)
  }

  /// The numbers of all segments that have a body or a table of contents, in ascending order.
  private mutating func segmentNumbers() throws(StoreError) -> [Int64] {
    var numbers: [Int64] = []
    for table in ["segment_toc", "segment"] {
      var scan = try RowScan("seg", of: table, by: "seg", on: view.connection)
      defer { scan.finalize() }
      try scan.forEach(
        { (statement) throws(StoreError) in numbers.append(statement.integer(0)) },
        refused: { $0 })
      if scan.hasGap { report.add("a part of the table \(table) cannot be read.") }
    }
    numbers.sort()
    var unique: [Int64] = []
    for number in numbers where unique.last != number { unique.append(number) }
    return unique
  }

  private mutating func check(_ segment: Int64) throws(StoreError) {
    report.segments += 1
    let contents = try contents(of: segment)
    let body = view.bytes(segment: segment)
    if body == nil { report.add("segment \(segment) is missing or cannot be read.") }
    if let contents {
      segmentCensus.add(segment)
      newestCensus = contents.census
      try check(contents.entries, of: segment, in: body ?? [])
    } else {
      segmentCensus.add(segment)
      report.add("the table of contents of segment \(segment) is missing or damaged.")
      try check(headersIn: body ?? [], of: segment)
    }
  }

  private func contents(of segment: Int64) throws(StoreError) -> SegmentContents? {
    let statement = try view.connection.prepare(
      "SELECT total, toc FROM segment_toc WHERE seg = ?1")
    defer { statement.finalize() }
    statement.bind(segment, 1)
    do throws(StoreError) {
      guard try statement.step() else { return nil }
    } catch  where error.code == .damaged {
      return nil
    }
    let total = statement.integer(0)
    return statement.withBytes(1) { SegmentContents($0, segment: segment, total: total) }
  }

  private mutating func check(
    _ entries: [SegmentContents.Entry], of segment: Int64, in body: [UInt8]
  ) throws(StoreError) {
    var offset = 0
    for entry in entries {
      if entry.sid.isValid { newest.add(entry, segment: 0, offset: 0) }
      try check(entry, of: segment, in: body, at: offset)
      offset += entry.recordSize
    }
    if !body.isEmpty, offset != body.count {
      report.add(
        "expected segment \(segment) to have \(offset) bytes, found \(body.count).")
    }
  }

  /// Checks the records of a segment without a table of contents, by what they say themselves.
  private mutating func check(headersIn body: [UInt8], of segment: Int64) throws(StoreError) {
    var offset = 0
    while let header = unsafe RecordHeader(in: body.span.bytes, at: offset) {
      let entry = SegmentContents.Entry(header)
      if entry.sid.isValid { newest.add(entry, segment: 0, offset: 0) }
      try check(entry, of: segment, in: body, at: offset)
      offset += header.recordSize
    }
    if offset < body.count {
      report.add(
        "the records of segment \(segment) from byte \(offset) on cannot be told apart.")
    }
  }

  private mutating func check(
    _ entry: SegmentContents.Entry, of segment: Int64, in body: [UInt8], at offset: Int
  ) throws(StoreError) {
    // Between records that were found again after damage stand entries of no session.
    guard entry.sid.isValid else { return }
    report.records += 1
    report.recordBytes += entry.recordSize
    let header = unsafe RecordHeader(in: body.span.bytes, at: offset)
    guard let header, SegmentContents.Entry(header) == entry else {
      let message = "expected its record in segment \(segment) at \(offset), found another or none."
      return refuse(entry, StoreError(.damaged, message))
    }
    // A state that cannot be opened because of its key is told with the key.
    guard case .known(let owner, let key) = try opener.key(of: entry.sid) else { return }
    do throws(StoreError) {
      let record = unsafe body.span.bytes.extracting(offset..<offset + header.recordSize)
      try opener.open(record, with: (owner, key)) { _ in }
      report.openedRecords += 1
    } catch  where error.code == .damaged {
      refuse(entry, error)
    }
  }

  private mutating func refuse(_ entry: SegmentContents.Entry, _ error: StoreError) {
    refused.append(RefusedRecord(entry: entry, error: error))
  }
}

extension SegmentContents.Entry {
  fileprivate static func == (left: Self, right: Self) -> Bool {
    left.sid == right.sid && left.version == right.version && left.epoch == right.epoch
      && left.length == right.length
  }
}
