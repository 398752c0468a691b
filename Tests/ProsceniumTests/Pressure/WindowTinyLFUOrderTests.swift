// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

@Suite struct WindowTinyLFUOrderTests {
  @Test func `a session that is used often stays while others come once`() {
    var order = DisconnectionOrders.windowTinyLFU.makeOrder(capacity: 100, seed: 1)
    for scene in 0..<100 as Range<UInt32> { order.didConnect(scene, session: scene) }
    for _ in 0..<3 {
      for scene in 0..<70 as Range<UInt32> { order.didUse(scene) }
    }
    var key: UInt32 = 100
    for session in 1_000..<1_400 as Range<UInt32> {
      order.didConnect(key, session: session)
      guard let named = order.first(sparing: { _ in false }) else { break }
      #expect(named >= 70, "session \(session) pushed out scene \(named)")
      order.didDisconnect(named)
      key = named
    }
  }

  @Test func `a session that comes back again and again is let in`() {
    var order = DisconnectionOrders.windowTinyLFU.makeOrder(capacity: 100, seed: 1)
    for scene in 0..<100 as Range<UInt32> { order.didConnect(scene, session: scene) }
    for scene in 0..<100 as Range<UInt32> { order.didUse(scene) }
    var key: UInt32 = 100
    var place: UInt32?
    var hits: [Bool] = []
    for step in 0..<1_500 as Range<UInt32> {
      // Between its visits more strangers pass than the window has room for.
      let isVisit = step % 50 == 0
      if isVisit { hits.append(place != nil) }
      if isVisit, let place {
        order.didUse(place)
        continue
      }
      order.didConnect(key, session: isVisit ? 77_777 : 1_000 + step)
      if isVisit { place = key }
      guard let named = order.first(sparing: { _ in false }) else { break }
      order.didDisconnect(named)
      if named == place { place = nil }
      key = named
    }
    #expect(hits.count == 30 && !hits[1] && hits.suffix(20).allSatisfy { $0 })
  }

  @Test func `estimates are halved once at most, and those of strangers are mostly nothing`() {
    // Fewer uses than those after which every counter was halved.
    var sketch = UseSketch(capacity: 1_000, seed: 5)
    for session in 0..<300 as Range<UInt32> {
      for _ in 0..<session % 15 { sketch.add(session) }
    }
    let low = (0..<300 as Range<UInt32>).filter { sketch.estimate($0) < $0 % 15 }
    #expect(low.count < 60)
    #expect(low.allSatisfy { sketch.estimate($0) >= $0 % 15 / 2 })
    let strangers = (1_000..<2_000 as Range<UInt32>).filter { sketch.estimate($0) > 0 }
    #expect(strangers.count < 30)
  }

  @Test func `counters end at fifteen and are halved in time`() {
    var sketch = UseSketch(capacity: 1_000, seed: 5)
    for _ in 0..<40 { sketch.add(1) }
    #expect(sketch.estimate(1) == UseSketch.most)
    for other in 0..<21_000 as Range<UInt32> { sketch.add(100 + other) }
    #expect((3..<15).contains(sketch.estimate(1)))
    for other in 0..<40_000 as Range<UInt32> { sketch.add(100_000 + other) }
    #expect(sketch.estimate(1) < 7)
  }

  @Test(arguments: [100, 1_000, 8_192, 100_000])
  func `a change of the capacity keeps what is known`(capacity: Int) {
    var sketch = UseSketch(capacity: 4_000, seed: 5)
    for session in 0..<200 as Range<UInt32> {
      for _ in 0..<session % 7 { sketch.add(session) }
    }
    let before = (0..<200 as Range<UInt32>).map { sketch.estimate($0) }
    sketch.capacity = capacity
    let after = (0..<200 as Range<UInt32>).map { sketch.estimate($0) }
    #expect(zip(before, after).allSatisfy { $0 <= $1 })
    if capacity > 4_000 { #expect(before == after) }
  }

  @Test func `the window's share follows the hit rate`() {
    var climber = WindowClimber()
    // The larger the window, the more hits.
    for _ in 0..<60 {
      let hits = Int(climber.share * 9_700)
      for _ in 0..<hits { climber.hit() }
      for _ in hits..<10_000 { climber.miss(scenes: 1_000) }
    }
    #expect(climber.share > 0.8)
    // The smaller, the more.
    for _ in 0..<200 {
      let hits = Int((1 - climber.share) * 9_700)
      for _ in 0..<hits { climber.hit() }
      for _ in hits..<10_000 { climber.miss(scenes: 1_000) }
    }
    #expect(climber.share < 0.3)
  }
}
