// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The newest record of each session, while tables of contents are being read.
struct LoadedRecords {
  /// The newest record of the session in a slot.
  struct Newest {
    var sid = SessionNumber(rawValue: 0)
    var version: UInt64 = 0
    var epoch: UInt32 = 0
    var segment: UInt32 = 0
    var offset: UInt32 = 0
    /// The number of bytes; 0 if the record is known to be damaged.
    var size: UInt32 = 0

    /// Whether another record of the slot is newer: of the same session, or of one that has had the
    /// slot since.
    fileprivate func isOlder(than entry: SegmentContents.Entry) -> Bool {
      (sid.rawValue, epoch, version) < (entry.sid.rawValue, entry.epoch, entry.version)
    }

    /// Whether this very record was noted where it cannot be read: another place with it counts.
    fileprivate func isLost(_ entry: SegmentContents.Entry) -> Bool {
      size == 0 && (sid, epoch, version) == (entry.sid, entry.epoch, entry.version)
    }
  }

  private var newest: ContiguousArray<Newest> = []

  /// The greatest epoch of a record.
  private(set) var greatestEpoch: UInt32 = 0

  /// The openings that records name.
  private(set) var openings: Set<UInt64> = []

  private var lastOpening = UInt64.max

  /// The greatest number of a segment.
  private(set) var greatestSegment: Int64 = 0

  /// Up to where numbers can be segments': no store has had so many.
  private static let segmentLimit = Int64.max / 2

  /// The newest record of a session, or `nil` if it has none.
  func newest(of sid: SessionNumber) -> Newest? {
    guard sid.slot < newest.count, newest[sid.slot].sid == sid else { return nil }
    return newest[sid.slot]
  }

  /// Takes in the number of a segment, unless it cannot be one.
  mutating func add(segment: Int64) {
    if segment < Self.segmentLimit { greatestSegment = max(greatestSegment, segment) }
  }

  /// Takes in a record of a segment.
  @inline(__always)
  mutating func add(_ entry: SegmentContents.Entry, segment: UInt32, offset: Int) {
    // One of no session fills a gap in a table of contents that was made again.
    guard entry.sid.isValid else { return }
    let slot = entry.sid.slot
    if slot >= newest.count { grow(slot) }
    greatestEpoch = max(greatestEpoch, entry.epoch)
    let opening = entry.version >> 40
    if opening != lastOpening {
      lastOpening = opening
      openings.insert(opening)
    }
    guard newest[slot].isOlder(than: entry) || newest[slot].isLost(entry) else { return }
    newest[slot] = Newest(
      sid: entry.sid, version: entry.version, epoch: entry.epoch, segment: segment,
      offset: UInt32(offset), size: UInt32(clamping: entry.recordSize))
  }

  /// Notes that there is or was a record which cannot be read.
  mutating func addDamaged(_ entry: SegmentContents.Entry) {
    let slot = entry.sid.slot
    if slot >= newest.count { grow(slot) }
    guard newest[slot].isOlder(than: entry) else { return }
    newest[slot] = Newest(
      sid: entry.sid, version: entry.version, epoch: entry.epoch, segment: 0, offset: 0, size: 0)
  }

  private mutating func grow(_ slot: Int) {
    let count = max(slot + 1, newest.count * 2)
    newest.append(contentsOf: repeatElement(Newest(), count: count - newest.count))
  }
}

extension SessionIndex {
  /// Notes where the newest record of a session stands.
  mutating func restore(_ slot: Int, _ newest: LoadedRecords.Newest) {
    let place = RecordPlace(
      segment: newest.segment, offset: Int(newest.offset), version: newest.version)
    self.place(slot, at: place, size: Int(newest.size))
    segments.revive(Self.weight(Int(newest.size)) << 3, in: newest.segment)
  }
}
