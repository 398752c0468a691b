// SPDX-License-Identifier: Apache-2.0

extension PolicyTrace {
  /// Counts the hits of the best order there can be, which knows all events to come.
  ///
  /// Of the scenes that are connected after an event, the one whose next event is the latest goes
  /// (Bélády). No order has more hits. O(n log n).
  ///
  /// - Parameter scenes: How many scenes stay connected, 1 or more.
  /// - Returns: The number of hits.
  package func optimalHits(scenes: Int) -> Int {
    let nextUses = nextUses
    var isConnected = [Bool](repeating: false, count: sessionCount)
    var count = 0
    var hits = 0
    // Next uses of the connected scenes, and some that are over: these are below all others.
    var latest = LatestUses()
    for (index, session) in events.enumerated() {
      if isConnected[Int(session)] {
        hits += 1
        isConnected[Int(session)] = false
        count -= 1
      }
      guard nextUses[index] != Self.never else { continue }
      latest.insert(nextUses[index])
      isConnected[Int(session)] = true
      count += 1
      if count > scenes, let use = latest.popLatest() {
        isConnected[Int(events[Int(use)])] = false
        count -= 1
      }
      latest.forget(until: UInt32(index), ifOver: count)
    }
    return hits
  }

  private static var never: UInt32 { .max }

  /// For each event the index of its session's next one.
  private var nextUses: [UInt32] {
    var next = [UInt32](repeating: Self.never, count: sessionCount)
    var uses = [UInt32](repeating: Self.never, count: events.count)
    for index in events.indices.reversed() {
      let session = Int(events[index])
      uses[index] = next[session]
      next[session] = UInt32(index)
    }
    return uses
  }
}

/// A heap of indices, the largest on top.
private struct LatestUses {
  private var heap: [UInt32] = []

  mutating func insert(_ use: UInt32) {
    heap.append(use)
    var index = heap.count - 1
    while index > 0, heap[(index - 1) / 2] < heap[index] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popLatest() -> UInt32? {
    guard let top = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return top }
    heap[0] = last
    var index = 0
    while index * 2 + 1 < heap.count {
      var child = index * 2 + 1
      if child + 1 < heap.count, heap[child + 1] > heap[child] { child += 1 }
      if heap[index] >= heap[child] { break }
      heap.swapAt(index, child)
      index = child
    }
    return top
  }

  /// Drops what is over, once that is more than what is to come.
  mutating func forget(until index: UInt32, ifOver count: Int) {
    guard heap.count > 2 * count + 1_024 else { return }
    heap = heap.filter { $0 > index }.sorted(by: >)
  }
}
