// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// How much of the file may be taken by records that no longer count, and what is done about it.
///
/// A commit moves what counts out of the segments of which least does, and removes them. How much
/// it moves is bounded in bytes: were it the number of segments, small ones would not be removed as
/// fast as they are made.
enum Compaction {
  /// How many bytes of records there may be for each byte that counts, in percent.
  static let share = 190

  /// How many bytes there may be beyond that.
  static let slack = 8 << 20

  /// How many bytes are moved at most for each byte that a commit brings.
  static let factor = 4

  /// How many bytes a commit may move however little it brings.
  static let floor = 128 << 10

  /// Beyond how many bytes too much compaction begins, so that not every small commit compacts.
  static let chunk = 64 << 10

  /// How many segments a commit removes at most.
  static let removals = 256

  /// From how many small segments on they are joined.
  static let smallSegments = 1_024
}

extension StoreWriter {
  /// Moves the records that count out of the leanest segments, still sealed, and removes the
  /// segments, as far as there is too much and the commit is large.
  ///
  /// - Throws: What SQLite refuses; `damaged` with the draft's victim if a segment cannot be
  ///   removed.
  mutating func compact(
    _ group: ChangeGroup, _ changes: [StoreChange], _ draft: inout CommitDraft
  ) throws(StoreError) {
    let bytes = group.recordBytes(changes)
    let victims: [(handle: UInt32, segment: SegmentTable.Segment)] = parts.index.withLock {
      let segments = $0.segments
      return Self.victims(among: segments, bytes: bytes).map { ($0, segments[$0]) }
    }
    if victims.isEmpty { return }
    for (handle, segment) in victims {
      if segment.live > 0, try !keep(handle, segment.number, group) {
        parts.index.withLock { $0.segments.setAside(handle) }
        continue
      }
      draft.victim = handle
      statements.deleteSegment.bind(segment.number, 1)
      try statements.deleteSegment.run()
      statements.deleteContents.bind(segment.number, 1)
      try statements.deleteContents.run()
      draft.victim = nil
      draft.removedSegments.append(handle)
      draft.census.remove(segment.number)
      if survivors.isFull { try writeSurvivors(&draft) }
    }
    options.reached(.insideCompaction)
  }

  private static func victims(among segments: SegmentTable, bytes: Int) -> [UInt32] {
    let allowed = segments.liveBytes / 100 * Compaction.share + Compaction.slack
    let excess = segments.totalBytes + bytes - allowed
    if excess >= Compaction.chunk {
      return segments.leanest(
        excess: excess, budget: max(bytes * Compaction.factor, Compaction.floor),
        limit: Compaction.removals)
    }
    return segments.smallCount > Compaction.smallSegments
      ? segments.small(bytes: Compaction.chunk) : []
  }

  /// Takes the records of a segment that count to the survivors.
  ///
  /// - Returns: Whether all of them are there; if not, nothing was taken.
  private mutating func keep(
    _ handle: UInt32, _ segment: Int64, _ group: ChangeGroup
  ) throws(StoreError) -> Bool {
    guard let contents = try contents(of: segment) else { return false }
    let kept = living(contents, in: handle).filter { !group.replacesState(of: $0.session) }
    let statement = statements.readSegment
    statement.bind(segment, 1)
    defer { statement.reset() }
    do throws(StoreError) {
      guard try statement.step() else { return false }
    } catch  where error.code == .damaged {
      return false
    }
    var builder = survivors
    survivors = SegmentBuilder()
    defer { survivors = builder }
    return statement.withBytes(0) { body in
      for record in kept {
        guard let header = RecordHeader(in: body, at: record.offset),
          SegmentContents.Entry(header) == record.entry
        else { return false }
      }
      for record in kept {
        builder.add(
          record.entry,
          body.extracting(record.offset..<record.offset + record.entry.recordSize))
      }
      return true
    }
  }

  private struct Living {
    let entry: SegmentContents.Entry
    let offset: Int
    let session: SessionIdentifier
  }

  /// The records of a segment that count.
  private func living(_ contents: SegmentContents, in handle: UInt32) -> [Living] {
    parts.index.withLock { index in
      var offset = 0
      var living: [Living] = []
      for entry in contents.entries {
        if let slot = index.slot(of: entry.sid), index[slot].place.segment == handle,
          index[slot].place.offset == offset
        {
          living.append(
            Living(entry: entry, offset: offset, session: index[slot].identifier))
        }
        offset += entry.recordSize
      }
      return living
    }
  }

  /// Lets the newest table of contents say which segments there are, if nothing newer does.
  ///
  /// - Throws: What SQLite refuses.
  func writeCensus(_ draft: CommitDraft) throws(StoreError) {
    guard draft.newSegments == 0, !draft.removedSegments.isEmpty else { return }
    let newest = try connection.integer("SELECT max(seg) FROM segment_toc")
    let statement = statements.readContents
    statement.bind(newest, 1)
    guard try statement.step() else { return }
    let total = statement.integer(0)
    var bytes = statement.bytes(1)
    statement.reset()
    // One that is damaged says nothing, and is to be made again from its segment.
    guard unsafe SegmentContents.hasChecksum(bytes.span.bytes, segment: newest, total: total)
    else { return }
    SegmentContents.replaceCensus(&bytes, segment: newest, total: total, census: draft.census)
    statements.writeContents.bind(newest, 1)
    statements.writeContents.bind(total, 2)
    try statements.writeContents.run(with: bytes, 3)
  }
}
