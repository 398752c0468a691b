// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Proscenium
import ProsceniumPrimitives

/// Which session each of many events went to, in their order: what policies are compared on.
///
/// Four bytes an event. Sessions are numbered from 0 in the order of their first event.
package struct PolicyTrace: Sendable {
  /// A session that was destroyed, and before which event.
  package struct Discard: Hashable, Sendable {
    /// The index of the first event after it.
    package let event: Int
    /// The session's number.
    package let session: UInt32
  }

  /// The largest number of events.
  package static let eventLimit = 50_000_000
  /// The largest number of sessions.
  package static let sessionLimit = 10_000_000

  /// The session of each event.
  package private(set) var events: [UInt32] = []
  /// The sessions that were destroyed, in order.
  package private(set) var discards: [Discard] = []
  /// The number of sessions.
  package private(set) var sessionCount = 0
  /// The number of lines of its log that were no requests.
  package var malformedCount = 0

  /// Makes an empty trace.
  package init() {}

  /// Adds an event of a session.
  ///
  /// - Parameter session: A number below ``sessionCount``, or the next one for a new session.
  package mutating func append(_ session: UInt32) {
    events.append(session)
    sessionCount = max(sessionCount, Int(session) + 1)
  }

  /// Adds that a session was destroyed after the last event.
  package mutating func discard(_ session: UInt32) {
    discards.append(Discard(event: events.count, session: session))
  }

  /// Sizes to compare policies with: a hundredth, a thirtieth, a tenth, a third and two thirds
  /// of the sessions, of those that differ and are at least 1.
  package var suggestedSizes: [Int] {
    let shares = [(1, 100), (1, 30), (1, 10), (1, 3), (2, 3)]
    let sizes = shares.map { max(sessionCount * $0.0 / $0.1, 1) }
    return Set(sizes).sorted()
  }
}

extension PolicyTrace {
  /// Counts the events that find the scene of their session connected.
  ///
  /// An event to a session without a scene connects one; one scene too many is disconnected right
  /// after the event, and it may be that one.
  ///
  /// - Parameters:
  ///   - orders: Makes the order in which scenes are disconnected.
  ///   - scenes: How many scenes stay connected, 1 or more.
  ///   - seed: The seed of the order.
  /// - Returns: The number of hits; every other event had to connect its session.
  package func hits(of orders: DisconnectionPolicy.Order, scenes: Int, seed: UInt64 = 1) -> Int {
    hits(orders.makeOrder(capacity: scenes, seed: seed), scenes: scenes)
  }

  // Generic, so that what is opened once is not opened for each event.
  private func hits(_ order: some DisconnectionOrder, scenes: Int) -> Int {
    var order = order
    var isConnected = [Bool](repeating: false, count: sessionCount)
    var (count, hits, nextDiscard) = (0, 0, 0)
    // A session's number is the key of its scene.
    for (index, session) in events.enumerated() {
      while nextDiscard < discards.count, discards[nextDiscard].event == index {
        let gone = discards[nextDiscard].session
        nextDiscard += 1
        guard isConnected[Int(gone)] else { continue }
        isConnected[Int(gone)] = false
        count -= 1
        order.didDiscard(gone)
      }
      if isConnected[Int(session)] {
        order.didUse(session)
        hits += 1
        continue
      }
      isConnected[Int(session)] = true
      count += 1
      order.didConnect(session, session: session)
      while count > scenes, let key = order.first(sparing: { _ in false }) {
        isConnected[Int(key)] = false
        count -= 1
        order.didDisconnect(key)
      }
    }
    return hits
  }
}

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

/// Makes a trace in which few sessions are popular, and scans go by.
///
/// A session's rank r has a probability in proportion to 1 / rˢ (Zipf's law). A scan is a row
/// of new sessions with one event each, as robots make them. The logarithm is the system's: other
/// systems may draw a few events otherwise.
package struct PolicyWorkload: Hashable, Sendable {
  /// The number of popular sessions.
  package var sessions = 100_000
  /// The number of events.
  package var events = 2_000_000
  /// The exponent s of the law, 0–4.
  package var exponent = 0.99
  /// How many of a hundred events belong to scans, 0–99.
  package var scanPercent = 0
  /// The number of events of a scan.
  package var scanLength = 10_000
  /// The seed of what is drawn.
  package var seed: UInt64 = 1

  /// Makes a workload with the default values.
  package init() {}

  /// Draws the trace.
  package func trace() -> PolicyTrace {
    var trace = PolicyTrace()
    var random = SplitMix64(seed: seed)
    let table = ZipfTable(
      (1...max(sessions, 1)).map { UInt64(Double(1 << 40) * pow(Double($0), -exponent)) + 1 })
    var numbers = [UInt32?](repeating: nil, count: max(sessions, 1))
    let scan = scanPercent == 0 ? 0 : max(scanLength, 1)
    let period = scan == 0 ? 1 : max(scan * 100 / min(scanPercent, 99), scan + 1)
    for event in 0..<events {
      let new = UInt32(trace.sessionCount)
      if event % period >= period - scan {
        trace.append(new)
        continue
      }
      let rank = table.rank(&random)
      let number = numbers[rank] ?? new
      numbers[rank] = number
      trace.append(number)
    }
    return trace
  }
}
