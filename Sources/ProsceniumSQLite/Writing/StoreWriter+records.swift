// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

extension StoreWriter {
  /// Writes the records that the changes bring.
  mutating func writeRecords(
    of group: ChangeGroup, _ changes: [StoreChange], _ draft: inout CommitDraft
  ) throws(StoreError) {
    for net in group.nets {
      guard let place = net.save, case .save(let record) = changes[place].kind else { continue }
      // What was sealed for a session that is gone by now is a change of a session that is not
      // kept.
      guard let header = unsafe RecordHeader(in: record.span.bytes, at: 0),
        header.recordSize == record.count, header.sid == net.number?.rawValue
      else { continue }
      fresh.add(SegmentContents.Entry(header), record)
      if fresh.isFull { try writeFresh(&draft) }
    }
    if !fresh.isEmpty { try writeFresh(&draft) }
  }

  private mutating func writeFresh(_ draft: inout CommitDraft) throws(StoreError) {
    let number = try takeSegment(&draft)
    try fresh.write(number, census: draft.census, with: statements)
  }

  /// Writes the records that compaction keeps.
  mutating func writeSurvivors(_ draft: inout CommitDraft) throws(StoreError) {
    if survivors.isEmpty { return }
    let number = try takeSegment(&draft)
    try survivors.write(number, census: draft.census, with: statements)
  }

  /// The number of the next segment.
  private func takeSegment(_ draft: inout CommitDraft) throws(StoreError) -> Int64 {
    guard draft.census.count < RecordPlace.segmentLimit else {
      throw StoreError(.limitExceeded, "\(parts.path): the store has too many segments.")
    }
    let number = nextSegment + draft.newSegments
    draft.newSegments += 1
    draft.census.add(number)
    return number
  }

  /// The version of the record that counts for a session; 0 if there is none.
  func version(of number: SessionNumber) throws(StoreError) -> UInt64 {
    let segment: Int64? = parts.index.withLock { index in
      guard let slot = index.slot(of: number) else { return nil }
      return index[slot].place.segment.map { index.segments[$0].number }
    }
    guard let segment, let contents = try contents(of: segment) else { return 0 }
    return contents.entries.last { $0.sid == number }?.version ?? 0
  }

  /// Reads a table of contents, or returns `nil` if it is damaged.
  func contents(of segment: Int64) throws(StoreError) -> SegmentContents? {
    let statement = statements.readContents
    statement.bind(segment, 1)
    defer { statement.reset() }
    do throws(StoreError) {
      guard try statement.step() else { return nil }
    } catch  where error.code == .damaged {
      return nil
    }
    let total = statement.integer(0)
    return statement.withBytes(1) { SegmentContents($0, segment: segment, total: total) }
  }

  /// Lets what is in memory follow a transaction that is on the disk.
  mutating func apply(_ draft: CommitDraft, _ group: ChangeGroup) {
    store = draft.store
    configurations.merge(draft.configurations) { $1 }
    nextConfiguration += Int64(draft.configurations.count)
    nextSegment += draft.newSegments
    activationNumbers = draft.activationNumbers
    if !draft.destroyedKeys.isEmpty { logHasDestroyedKeys = true }
    for net in group.nets where net.removesOld { parts.keys.forget(net.session) }
    // Before anybody is told where they are.
    let written = (fresh.segments + survivors.segments).sorted { $0.number < $1.number }
    parts.recent.withLock { recent in
      for segment in written { recent.add(segment.bytes, segment.number) }
    }
    parts.index.withLock { index in
      for net in group.nets { index.follow(net) }
      for activation in draft.activations { index.activate(activation.sid, activation.counter) }
      index.add(survivors, isMove: true)
      index.add(fresh, isMove: false)
      for handle in draft.removedSegments { index.segments.remove(handle) }
      note(index)
    }
    statistics.commits += 1
    statistics.records += fresh.placed.count
    statistics.recordBytes += fresh.byteCount
    statistics.movedRecords += survivors.placed.count
    statistics.movedBytes += survivors.byteCount
    statistics.removedSegments += draft.removedSegments.count
  }
}

extension StoreWriter {
  /// Takes what an index counts into the statistics.
  mutating func note(_ index: SessionIndex) {
    statistics.segments = Int(index.segments.census.count)
    statistics.segmentBytes = index.segments.totalBytes
    statistics.liveBytes = index.segments.liveBytes
    statistics.sessions = index.count
  }
}

extension SessionIndex {
  /// Follows what a commit did with the row of one session.
  fileprivate mutating func follow(_ net: ChangeGroup.Net) {
    if let old = net.oldNumber, net.removesOld {
      remove(old.slot)
    } else if let old = net.oldNumber, net.dropsState {
      dropRecord(old.slot)
    }
    if net.isNew, let number = net.number {
      insert(net.session, number)
      pending.remove(net.session)
    } else if net.save != nil {
      pending.remove(net.session)
    } else if !net.isKept, let dropped = pending[net.session] {
      pending.remove(net.session)
      if dropped.isNew { giveBack(dropped.sid) }
    }
  }

  /// Enters segments that were written.
  fileprivate mutating func add(_ builder: SegmentBuilder, isMove: Bool) {
    for segment in builder.segments {
      let records = builder.placed[segment.records]
      let weight = records.reduce(0) { $0 + Self.weight($1.size) } << 3
      let handle = segments.add(segment.number, total: weight, live: weight)
      for (index, record) in zip(records.indices, records) {
        // The entries are fetched a few records ahead.
        if index + 8 < records.endIndex { prefetch(records[index + 8].sid) }
        let place = RecordPlace(
          segment: handle, offset: record.offset, version: record.version)
        if isMove {
          move(record.sid.slot, to: place)
        } else {
          self.place(record.sid.slot, at: place, size: record.size)
        }
      }
    }
  }
}
