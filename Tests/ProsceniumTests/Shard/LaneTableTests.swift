// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// The order in which a shard's items run when some of them have to wait.
@Suite struct LaneTableTests {
  @Test func `an empty table blocks nothing`() {
    let table = LaneTable()
    #expect(!table.blocks(.numbered(1, lane: 1)))
    #expect(table.count == 0)
  }

  @Test func `items of a parked lane wait, those of others do not`() {
    var bench = LaneBench()
    bench.park(1)
    bench.add(1, lane: 1)
    bench.add(2, lane: 2)
    bench.add(3, lane: 1)
    #expect(bench.ran == [2])
    bench.unpark(1)
    #expect(bench.ran == [2, 1, 3])
    #expect(bench.table.count == 0)
  }

  @Test func `a joint item waits for both lanes and holds both up`() {
    var bench = LaneBench()
    bench.park(1)
    bench.add(1, lane: 1)
    bench.add(2, lane: 2, partner: 1, .victim)
    bench.add(3, lane: 2)
    bench.add(4, lane: 3)
    #expect(bench.ran == [4])
    bench.unpark(1)
    #expect(bench.ran == [4, 1, 2, 3])
    #expect(bench.table.count == 0)
  }

  @Test func `what follows a parked joint item in its partner's lane waits for it`() {
    var bench = LaneBench()
    bench.park(1)
    bench.add(1, lane: 2, partner: 1, .victim)
    bench.add(2, lane: 1)
    #expect(bench.ran == [])
    bench.unpark(1)
    #expect(bench.ran == [1, 2])
  }

  @Test func `an item waits for the one that leaves, but does not hold it up`() {
    var bench = LaneBench()
    bench.park(1)
    bench.park(2)
    bench.add(1, lane: 1)
    bench.add(2, lane: 2, partner: 1, .leaver)
    bench.add(3, lane: 1)
    bench.unpark(2)
    #expect(bench.ran == [])
    bench.unpark(1)
    #expect(bench.ran == [1, 2, 3] || bench.ran == [1, 3, 2])
    #expect(bench.table.count == 0)
  }

  @Test func `a leaver that has gone already is not waited for`() {
    var bench = LaneBench()
    bench.add(1, lane: 2, partner: 1, .leaver)
    #expect(bench.ran == [1])
  }

  @Test func `a lane that is released twice runs each item once`() {
    var bench = LaneBench()
    bench.park(1)
    bench.add(1, lane: 1)
    bench.unpark(1)
    bench.unpark(1)
    #expect(bench.ran == [1])
  }

  /// Hand-overs in both directions are in both lanes in the order of the FIFO.
  @Test func `joint items never wait for one another in a circle`() {
    var bench = LaneBench()
    bench.park(1)
    bench.add(1, lane: 3, partner: 1, .victim)
    bench.add(2, lane: 1, partner: 2, .victim)
    bench.add(3, lane: 2, partner: 1, .victim)
    bench.add(4, lane: 1, partner: 2, .victim)
    #expect(bench.ran == [])
    bench.unpark(1)
    #expect(bench.ran == [1, 2, 3, 4])
    #expect(bench.table.count == 0)
  }

  @Test(arguments: 1...200)
  func `whatever has to wait, everything else runs in order`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var bench = LaneBench()
    var model = NaiveLanes()
    let lanes = Int32.random(in: 2...6, using: &generator)
    for number in 1...150 {
      let lane = Int32.random(in: 0..<lanes, using: &generator)
      if Int.random(in: 0..<8, using: &generator) == 0 {
        bench.park(number)
        model.parked.insert(number)
      }
      var partner: (lane: Int32, kind: SessionLedger.Partner.Kind)?
      if Int.random(in: 0..<3, using: &generator) == 0 {
        let other = (lane + Int32.random(in: 1..<lanes, using: &generator)) % lanes
        partner = (other, Bool.random(using: &generator) ? .victim : .leaver)
      }
      bench.add(number, lane: lane, partner: partner?.lane, partner?.kind ?? .victim)
      model.add(number, lane: lane, partner: partner)
      if Int.random(in: 0..<4, using: &generator) == 0,
        let waiting = model.parked.sorted().randomElement(using: &generator)
      {
        bench.unpark(waiting)
        model.unpark(waiting)
      }
      #expect(Set(bench.ran) == Set(model.ran))
    }
    for waiting in model.parked.sorted() {
      bench.unpark(waiting)
      model.unpark(waiting)
    }
    #expect(bench.ran.count == 150)
    #expect(model.violations(in: bench.ran) == [])
    #expect(bench.table.count == 0)
  }
}

/// Feeds a table as a shard does.
private struct LaneBench {
  var table = LaneTable()
  private(set) var ran: [Int] = []
  /// The numbers of the items that wait for an answer.
  private var parked: Set<Int> = []
  private var lanes: [Int: Int32] = [:]

  mutating func park(_ number: Int) {
    parked.insert(number)
  }

  /// Answers what an item waits for.
  mutating func unpark(_ number: Int) {
    parked.remove(number)
    guard let lane = lanes[number] else { return }
    table.release(lane)
    pump()
  }

  mutating func add(
    _ number: Int, lane: Int32, partner: Int32? = nil,
    _ kind: SessionLedger.Partner.Kind = .victim
  ) {
    lanes[number] = lane
    let item = ShardItem.numbered(number, lane: lane, partner: partner, kind)
    if !table.blocks(item), !parked.contains(number) {
      ran.append(number)
    } else {
      table.setAside(item)
      pump()
    }
  }

  private mutating func pump() {
    let waiting = parked
    while let item = table.next(mayRun: { !waiting.contains($0.number) }) {
      ran.append(item.number)
    }
  }
}

/// The same by definition: an item runs once nothing before it shares a lane with it.
private struct NaiveLanes {
  private struct Item {
    let number: Int
    /// The lanes that it holds up.
    let lanes: Set<Int32>
    let leaver: Int32?
  }

  var parked: Set<Int> = []
  private(set) var ran: [Int] = []
  private var all: [Item] = []
  private var pending: [Item] = []

  mutating func add(
    _ number: Int, lane: Int32, partner: (lane: Int32, kind: SessionLedger.Partner.Kind)?
  ) {
    let isJoint = partner?.kind == .victim
    let item = Item(
      number: number, lanes: Set([lane] + (isJoint ? [partner?.lane ?? lane] : [])),
      leaver: isJoint ? nil : partner?.lane)
    all.append(item)
    pending.append(item)
    pump()
  }

  mutating func unpark(_ number: Int) {
    parked.remove(number)
    pump()
  }

  private mutating func pump() {
    while let index = pending.indices.first(where: mayRun) {
      ran.append(pending.remove(at: index).number)
    }
  }

  private func mayRun(_ index: Int) -> Bool {
    let item = pending[index]
    return !parked.contains(item.number)
      && pending[..<index].allSatisfy { !Self.precedes($0, item) }
  }

  private static func precedes(_ earlier: Item, _ later: Item) -> Bool {
    !earlier.lanes.isDisjoint(with: later.lanes)
      || later.leaver.map { earlier.lanes.contains($0) } ?? false
  }

  /// The pairs of items that ran in the wrong order.
  func violations(in order: [Int]) -> [String] {
    let position = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    return all.indices.flatMap { index in
      all[..<index].compactMap { earlier in
        let later = all[index]
        guard Self.precedes(earlier, later),
          (position[earlier.number] ?? .max) > (position[later.number] ?? .max)
        else { return nil }
        return "\(later.number) before \(earlier.number)"
      }
    }
  }
}

extension ShardItem {
  /// A plan that is known by its number.
  fileprivate static func numbered(
    _ number: Int, lane: Int32, partner: Int32? = nil,
    _ kind: SessionLedger.Partner.Kind = .victim
  ) -> ShardItem {
    var plan = Plan(goal: .foreground, decisions: DecisionClock(count: UInt32(number)))
    plan.partner = partner.map {
      Plan.Partner(
        slot: $0,
        session: SessionLedger.Partner(kind: kind, handle: SessionHandle(rawValue: UInt32($0))))
    }
    return ShardItem(slot: lane, work: .plan(plan))
  }

  fileprivate var number: Int {
    if case .plan(let plan) = work { Int(plan.decisions.count) } else { 0 }
  }
}
