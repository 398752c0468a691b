// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The sessions whose items have to wait while their shard goes on, and what waits for them.
///
/// A session's items form its *lane*. A lane is in the table from the moment in which one of
/// its items could not run until the last of those set aside has been handed out, so that nothing
/// can overtake. A joint item is in two lanes. It is set aside in both in one step and in the
/// order of the FIFO, which is the same order for all lanes, so lanes never wait for one another in
/// a circle. With a victim it is handed out when it is at the front of both. Of the lane of a
/// session that left the place earlier it only wants to reach the front, and does not hold it up.
struct LaneTable {
  /// An item that was set aside.
  private final class Waiting {
    let item: ShardItem
    var isBehindLeaver = false

    init(_ item: ShardItem) {
      self.item = item
    }
  }

  private enum Share {
    case own, victim, leaver
  }

  private struct Lane {
    /// Whether the item at the front waits for an answer.
    var isParked = false
    var entries = Queue<(waiting: Waiting, share: Share)>()
  }

  private var lanes: [Int32: Lane] = [:]
  /// Lanes whose front may have become free.
  private var worklist = Queue<Int32>()

  /// How many lanes there are.
  var count: Int { lanes.count }

  /// Whether a session's items have to wait.
  func contains(_ slot: Int32) -> Bool { !lanes.isEmpty && lanes[slot] != nil }

  /// Tells whether an item has to wait behind others.
  @inline(__always)
  func blocks(_ item: ShardItem) -> Bool {
    guard !lanes.isEmpty else { return false }
    if lanes[item.slot] != nil { return true }
    guard let partner = item.partner else { return false }
    return lanes[partner.slot] != nil
  }

  /// Sets an item aside, in its own lane and in its partner's, and marks it to be looked at.
  mutating func setAside(_ item: ShardItem) {
    let waiting = Waiting(item)
    if let partner = item.partner {
      switch partner.session.kind {
      case .victim:
        lanes[partner.slot, default: Lane()].entries.append((waiting, .victim))
      case .leaver:
        if lanes[partner.slot] != nil {
          lanes[partner.slot]?.entries.append((waiting, .leaver))
          waiting.isBehindLeaver = true
        }
      }
    }
    lanes[item.slot, default: Lane()].entries.append((waiting, .own))
    worklist.append(item.slot)
  }

  /// Puts what is left of an item that was held up in front of its lanes, until it is released.
  mutating func park(_ item: ShardItem) {
    let waiting = Waiting(item)
    lanes[item.slot, default: Lane()].entries.prepend((waiting, .own))
    lanes[item.slot]?.isParked = true
    if let partner = item.partner, partner.session.kind == .victim {
      lanes[partner.slot, default: Lane()].entries.prepend((waiting, .victim))
    }
  }

  /// Takes back what was held up in front of a lane, so that it will not go on; the lane does.
  mutating func takeHeld(_ slot: Int32) -> ShardItem? {
    guard let front = lanes[slot]?.entries.first, front.share == .own,
      case .rest = front.waiting.item.work
    else { return nil }
    lanes[slot]?.isParked = false
    handOut(front.waiting.item)
    return front.waiting.item
  }

  /// Takes the plans out of a lane that were to bring its session back (``Plan/isRepeated``).
  mutating func removeRepeatedPlans(_ slot: Int32) {
    guard var lane = lanes.removeValue(forKey: slot) else { return }
    // They are in no other lane.
    lane.entries.removeAll { $0.waiting.item.plan?.isRepeated == true }
    if !lane.entries.isEmpty { lanes[slot] = lane }
  }

  /// The lanes whose front was held up.
  var held: [Int32] {
    lanes.compactMap { slot, lane in
      guard let front = lane.entries.first, front.share == .own,
        case .rest = front.waiting.item.work
      else { return nil }
      return slot
    }
    .sorted()
  }

  /// Empties the table; returns what waited in it, each item once.
  mutating func removeAll() -> [ShardItem] {
    let items = lanes.sorted { $0.key < $1.key }.flatMap { lane in
      lane.value.entries.elements.filter { $0.share == .own }.map(\.waiting.item)
    }
    lanes = [:]
    worklist = Queue()
    return items
  }

  /// Lets a parked lane go on, and marks it to be looked at.
  mutating func release(_ slot: Int32) {
    lanes[slot]?.isParked = false
    worklist.append(slot)
  }

  /// Hands out the next item that is at the front of its lanes, or nil if all have to wait.
  ///
  /// An item at the front that `mayRun` refuses parks its lane until it is released.
  mutating func next(mayRun: (ShardItem) -> Bool) -> ShardItem? {
    while let slot = worklist.popFirst() {
      guard let lane = lanes[slot], !lane.isParked, let front = lane.entries.first else { continue }
      if front.share == .leaver {
        front.waiting.isBehindLeaver = false
        removeFront(of: slot)
        worklist.append(slot)
        worklist.append(front.waiting.item.slot)
        continue
      }
      guard isAtFront(front.waiting) else { continue }
      let item = front.waiting.item
      guard mayRun(item) else {
        lanes[item.slot]?.isParked = true
        continue
      }
      handOut(item)
      return item
    }
    return nil
  }

  private func isAtFront(_ waiting: Waiting) -> Bool {
    let item = waiting.item
    guard !waiting.isBehindLeaver, isFront(waiting, of: item.slot) else { return false }
    guard let partner = item.partner, partner.session.kind == .victim else { return true }
    return isFront(waiting, of: partner.slot)
  }

  private func isFront(_ waiting: Waiting, of slot: Int32) -> Bool {
    guard let lane = lanes[slot], !lane.isParked else { return false }
    return lane.entries.first?.waiting === waiting
  }

  private mutating func handOut(_ item: ShardItem) {
    removeFront(of: item.slot)
    worklist.append(item.slot)
    if let partner = item.partner, partner.session.kind == .victim {
      removeFront(of: partner.slot)
      worklist.append(partner.slot)
    }
  }

  private mutating func removeFront(of slot: Int32) {
    guard var lane = lanes.removeValue(forKey: slot) else { return }
    _ = lane.entries.popFirst()
    if !lane.entries.isEmpty { lanes[slot] = lane }
  }
}
