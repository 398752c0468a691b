// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

/// What holds for every order, whatever its policy.
@Suite struct DisconnectionOrderTests {
  private static let seeds = [UInt64](1...6)

  @Test(arguments: DisconnectionPolicy.Order.all, seeds)
  func `only a connected scene that is not spared is named, if there is one`(
    orders: DisconnectionPolicy.Order, seed: UInt64
  ) throws {
    var traffic = RandomTraffic(seed: seed, isReusingKeys: true)
    var order = orders.makeOrder(capacity: traffic.capacity, seed: seed)
    for step in 0..<3_000 {
      let place: Comment = "\(orders), seed \(seed), step \(step)"
      let next = traffic.next()
      guard case .ask(let spared, let goes) = next else {
        order.apply(next)
        continue
      }
      let named = order.first { spared.contains($0) }
      let isAnyoneLeft = !spared.isSuperset(of: traffic.scenes)
      try #require((named != nil) == isAnyoneLeft, place)
      guard let named else { continue }
      try #require(traffic.sessions[named] != nil && !spared.contains(named), place)
      if goes {
        order.didDisconnect(named)
        traffic.remove(named)
      }
    }
    var rest = Set(traffic.scenes)
    while let named = order.first(sparing: { _ in false }) {
      try #require(rest.remove(named) != nil, "\(orders), seed \(seed)")
      order.didDisconnect(named)
    }
    #expect(rest.isEmpty && order.count == 0)
  }

  @Test(arguments: DisconnectionPolicy.Order.all, seeds)
  func `the same scene is named until something happens`(
    orders: DisconnectionPolicy.Order, seed: UInt64
  ) throws {
    var traffic = RandomTraffic(seed: seed, isReusingKeys: true, isSparing: false)
    var order = orders.makeOrder(capacity: traffic.capacity, seed: seed)
    for step in 0..<2_000 {
      let next = traffic.next()
      order.apply(next)
      guard case .ask(_, let goes) = next, let named = order.first(sparing: { _ in false }) else {
        continue
      }
      let again = order.first { _ in false }
      try #require(again == named, "\(orders), seed \(seed), step \(step)")
      guard goes else { continue }
      order.didDisconnect(named)
      traffic.remove(named)
    }
  }

  @Test(arguments: DisconnectionPolicy.Order.all, seeds)
  func `equal calls give equal answers, and a key that is free again says nothing`(
    orders: DisconnectionPolicy.Order, seed: UInt64
  ) {
    let sessions = namedSessions(orders, seed, isReusingKeys: true)
    #expect(sessions.count > 500)
    #expect(sessions == namedSessions(orders, seed, isReusingKeys: true))
    #expect(sessions == namedSessions(orders, seed, isReusingKeys: false))
  }

  /// The sessions whose scenes went, under one way of giving keys or the other.
  private func namedSessions(
    _ orders: DisconnectionPolicy.Order, _ seed: UInt64, isReusingKeys: Bool
  ) -> [UInt32?] {
    var traffic = RandomTraffic(seed: seed, isReusingKeys: isReusingKeys)
    var order = orders.makeOrder(capacity: traffic.capacity, seed: seed)
    var sessions: [UInt32?] = []
    for _ in 0..<5_000 {
      let next = traffic.next()
      guard case .ask(let spared, let goes) = next else {
        order.apply(next)
        continue
      }
      guard let named = order.first(sparing: { spared.contains($0) }), goes else { continue }
      sessions.append(traffic.sessions[named])
      order.didDisconnect(named)
      traffic.remove(named)
    }
    return sessions
  }

  @Test(arguments: DisconnectionPolicy.Order.all)
  func `what is reported of a key without a scene is ignored`(orders: DisconnectionPolicy.Order) {
    var order = orders.makeOrder(capacity: 0, seed: 1)
    order.didUse(3)
    order.didDisconnect(.max)
    order.didDiscard(0)
    let nobody = order.first { _ in false }
    #expect(order.count == 0 && nobody == nil)
    order.didConnect(2, session: 9)
    order.didConnect(2, session: 9)
    order.didUse(1)
    order.didUse(.max)
    order.didDisconnect(1)
    order.capacity = .min
    let named = order.first { _ in false }
    #expect(order.count == 1 && named == 2)
  }

  @Test(arguments: DisconnectionPolicy.Order.all)
  func `many spared scenes are passed over once, not each time`(orders: DisconnectionPolicy.Order) {
    let count: UInt32 = 20_000
    var order = orders.makeOrder(capacity: Int(count), seed: 1)
    for scene in 0..<count { order.didConnect(scene, session: scene) }
    for scene in stride(from: 0, to: count, by: 3) { order.didUse(scene) }
    // The oldest nine tenths stay.
    var looks = 0
    var named = 0
    func isSpared(_ scene: UInt32) -> Bool {
      looks += 1
      return scene < count / 10 * 9
    }
    for new in 0..<4_000 as Range<UInt32> {
      guard let scene = order.first(sparing: isSpared) else { break }
      named += 1
      order.didDisconnect(scene)
      order.didConnect(scene, session: count + new)
    }
    #expect(named == 4_000)
    #expect(looks < 4 * Int(count) + 12 * named, "\(orders): \(looks) looks")
  }

  @Test(arguments: DisconnectionPolicy.Order.all)
  func `memory does not grow with the sessions that were seen`(orders: DisconnectionPolicy.Order) {
    let (capacity, connected) = (10_000, 5_000)
    var order = orders.makeOrder(capacity: capacity, seed: 1)
    for session in 0..<200_000 as Range<UInt32> {
      var key = session
      if Int(session) >= connected {
        guard let named = order.first(sparing: { _ in false }) else { break }
        order.didDisconnect(named)
        key = named
      }
      order.didConnect(key, session: session)
    }
    #expect(order.count == connected)
    let bytes = heapBytes(of: order)
    #expect(bytes <= 24 * connected + 32 * capacity + 1_024, "\(orders): \(bytes) bytes")
    order.capacity = capacity / 10
    for session in 0..<1_000 as Range<UInt32> {
      guard let named = order.first(sparing: { _ in false }) else { break }
      order.didDisconnect(named)
      order.didConnect(named, session: session)
    }
    let fewer = heapBytes(of: order)
    #expect(fewer <= 24 * connected + 32 * capacity / 10 + 1_024, "\(orders): \(fewer) bytes")
  }

  @Test func `an order is told what happens, and asked who goes first`() {
    let foreground: Set<UInt32> = [0]
    var order = DisconnectionPolicy.Order.leastRecentlyUsed.makeOrder(capacity: 2, seed: 1)
    order.didConnect(0, session: 1_001)
    order.didConnect(1, session: 1_002)
    order.didConnect(2, session: 1_003)
    order.didUse(1)
    if let scene = order.first(sparing: { foreground.contains($0) }) {
      #expect(scene == 2)
      order.didDisconnect(scene)
    }
    #expect(order.count == 2)
  }

  @Test func `the recommended order is one of those that were compared`() {
    #expect(
      DisconnectionPolicy.Order.all.contains {
        $0.name == DisconnectionPolicy.Order.recommended.name
      })
  }
}

extension DisconnectionOrder {
  /// Reports what happened; a question is none.
  mutating func apply(_ step: RandomTraffic.Step) {
    switch step {
    case .connect(let scene, let session): didConnect(scene, session: session)
    case .use(let scene): didUse(scene)
    case .remove(let scene, let isDiscarded):
      if isDiscarded { didDiscard(scene) } else { didDisconnect(scene) }
    case .capacity(let capacity): self.capacity = capacity
    case .ask: break
    }
  }
}

/// What the arrays within a value take.
private func heapBytes(of value: Any) -> Int {
  if let array = value as? any HeapArray { return array.byteCount }
  return Mirror(reflecting: value).children.reduce(0) { $0 + heapBytes(of: $1.value) }
}

private protocol HeapArray {
  var byteCount: Int { get }
}

extension ContiguousArray: HeapArray {
  fileprivate var byteCount: Int { capacity * MemoryLayout<Element>.stride }
}
