// SPDX-License-Identifier: Apache-2.0

/// The segments that the store has, and how much of each is still alive.
///
/// Segments with about the same share of living bytes form a list, so that the leanest one is found
/// at once.
struct SegmentTable: Sendable {
  /// One segment, in 24 bytes.
  struct Segment: Sendable {
    /// The number of its row.
    var number: Int64
    /// How many bytes its records take.
    var total: UInt32
    /// How many of them are of records that count.
    var live: UInt32
    fileprivate var previous: UInt32
    fileprivate var next: UInt32
  }

  /// A list of segments.
  private enum List {
    /// The shares below one, in steps of 1/64.
    static let steps = 64
    static let full = 64
    /// Segments that are better joined than kept, although at least half of them is alive.
    static let small = 65
    /// Segments that cannot be compacted, because something in them is damaged.
    static let setAside = 66
    static let count = 67
  }

  /// Below how many bytes a segment is small.
  static let smallSize: UInt32 = 8_192

  private static let none = UInt32.max

  private var segments: ContiguousArray<Segment> = []
  private var lists: ContiguousArray<UInt8> = []
  private var pages: ContiguousArray<SegmentPages?> = []
  private var heads = ContiguousArray(repeating: SegmentTable.none, count: List.count)
  private var free: [UInt32] = []

  /// All segments' numbers.
  private(set) var census = SegmentContents.Census()

  /// The bytes of all records.
  private(set) var totalBytes = 0

  /// The bytes of the records that count.
  private(set) var liveBytes = 0

  /// How many segments are small.
  private(set) var smallCount = 0

  /// A segment by its handle.
  subscript(handle: UInt32) -> Segment { segments[Int(handle)] }

  /// Adds a segment.
  ///
  /// - Returns: A handle, which is used again after the segment was removed.
  mutating func add(_ number: Int64, total: Int, live: Int) -> UInt32 {
    let segment = Segment(
      number: number, total: UInt32(clamping: total), live: UInt32(clamping: live),
      previous: Self.none,
      next: Self.none)
    census.add(number)
    totalBytes += total
    liveBytes += live
    let handle: UInt32
    if let reused = free.popLast() {
      handle = reused
      segments[Int(handle)] = segment
      pages[Int(handle)] = nil
    } else {
      handle = UInt32(segments.count)
      segments.append(segment)
      lists.append(0)
      pages.append(nil)
    }
    enter(handle)
    return handle
  }

  /// Removes a segment; what was alive in it stands elsewhere by now.
  mutating func remove(_ handle: UInt32) {
    leave(handle)
    let segment = segments[Int(handle)]
    census.remove(segment.number)
    totalBytes -= Int(segment.total)
    liveBytes -= Int(segment.live)
    free.append(handle)
  }

  /// Where a segment stands in the file, if somebody has looked.
  func pages(of handle: UInt32) -> SegmentPages? { pages[Int(handle)] }

  /// Remembers where a segment stands in the file, unless the handle is another one's by now.
  mutating func setPages(_ found: SegmentPages?, of handle: UInt32, number: Int64) {
    // The store may have been loaded anew since the handle was given.
    guard Int(handle) < segments.count, segments[Int(handle)].number == number else { return }
    pages[Int(handle)] = found
  }

  /// Counts a record of a segment as dead.
  @inline(__always)
  mutating func kill(_ bytes: Int, in handle: UInt32) {
    change(handle, by: -bytes)
  }

  /// Counts a record of a segment as alive; for the load.
  mutating func revive(_ bytes: Int, in handle: UInt32) {
    change(handle, by: bytes)
  }

  /// Sets how many bytes a segment's records take; for the load.
  mutating func setTotal(_ bytes: Int, of handle: UInt32) {
    leave(handle)
    totalBytes += bytes - Int(segments[Int(handle)].total)
    segments[Int(handle)].total = UInt32(clamping: bytes)
    enter(handle)
  }

  /// Lets a segment be as it is, because it cannot be compacted.
  mutating func setAside(_ handle: UInt32) {
    leave(handle)
    link(handle, List.setAside)
  }

  /// The segments of which least is alive.
  ///
  /// - Parameters:
  ///   - excess: How many dead bytes are enough.
  ///   - budget: How many bytes that are alive may be in them, but for the last one's.
  ///   - limit: How many segments there may be.
  /// - Returns: The segments' numbers.
  func leanest(excess: Int, budget: Int, limit: Int) -> [UInt32] {
    var (excess, budget) = (excess, budget)
    var found: [UInt32] = []
    for head in heads[..<List.full] {
      var handle = head
      while handle != Self.none {
        let segment = segments[Int(handle)]
        guard excess > 0, budget > 0, found.count < limit else { return found }
        found.append(handle)
        excess -= Int(segment.total) - Int(segment.live)
        budget -= Int(segment.live)
        handle = segment.next
      }
    }
    return found
  }

  /// Small segments that together have so many bytes, or all of them.
  func small(bytes: Int) -> [UInt32] {
    var bytes = bytes
    var found: [UInt32] = []
    var handle = heads[List.small]
    while handle != Self.none, bytes > 0 {
      found.append(handle)
      bytes -= Int(segments[Int(handle)].live)
      handle = segments[Int(handle)].next
    }
    return found
  }

  private mutating func change(_ handle: UInt32, by bytes: Int) {
    let index = Int(handle)
    segments[index].live = UInt32(clamping: Int(segments[index].live) + bytes)
    liveBytes += bytes
    let list = list(of: segments[index])
    if list != Int(lists[index]), Int(lists[index]) != List.setAside {
      leave(handle)
      enter(handle)
    }
  }

  @inline(__always)
  private func list(of segment: Segment) -> Int {
    if segment.total < Self.smallSize, segment.live >= segment.total / 2, segment.live > 0 {
      return List.small
    }
    return segment.total == 0 ? 0 : Int(segment.live) * List.steps / Int(segment.total)
  }

  private mutating func enter(_ handle: UInt32) {
    link(handle, list(of: segments[Int(handle)]))
  }

  private mutating func link(_ handle: UInt32, _ list: Int) {
    let index = Int(handle)
    lists[index] = UInt8(list)
    segments[index].previous = Self.none
    segments[index].next = heads[list]
    if heads[list] != Self.none { segments[Int(heads[list])].previous = handle }
    heads[list] = handle
    if list == List.small { smallCount += 1 }
  }

  private mutating func leave(_ handle: UInt32) {
    let index = Int(handle)
    let list = Int(lists[index])
    let (previous, next) = (segments[index].previous, segments[index].next)
    if previous == Self.none { heads[list] = next } else { segments[Int(previous)].next = next }
    if next != Self.none { segments[Int(next)].previous = previous }
    if list == List.small { smallCount -= 1 }
  }
}
