// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

/// Each order names what its model names, whatever happened before.
@Suite struct OrderModelTests {
  @Test(arguments: [UInt64](1...12))
  func `the least recently used order does what its model does`(seed: UInt64) throws {
    try compare(LRUModel.self, .leastRecentlyUsed, seed)
  }

  @Test(arguments: [UInt64](1...12))
  func `S3-FIFO does what its model does`(seed: UInt64) throws {
    try compare(SmallFirstModel.self, .smallFirst, seed)
  }

  private func compare<Model: OrderModel>(
    _: Model.Type, _ orders: DisconnectionPolicy.Order, _ seed: UInt64
  ) throws {
    var traffic = RandomTraffic(seed: seed, isReusingKeys: true)
    var order = orders.makeOrder(capacity: traffic.capacity, seed: seed)
    var model = Model(capacity: traffic.capacity)
    for step in 0..<4_000 {
      let place: Comment = "seed \(seed), step \(step)"
      switch traffic.next() {
      case .connect(let scene, let session):
        order.didConnect(scene, session: session)
        model.connect(scene, session: session)
      case .use(let scene):
        order.didUse(scene)
        model.use(scene)
      case .remove(let scene, let isDiscarded):
        if isDiscarded { order.didDiscard(scene) } else { order.didDisconnect(scene) }
        model.remove(scene, isDiscarded: isDiscarded)
      case .ask(let spared, let goes):
        let named = order.first { spared.contains($0) }
        let expected = model.first(spared)
        try #require(named == expected, place)
        guard goes, let named else { break }
        order.didDisconnect(named)
        model.remove(named, isDiscarded: false)
        traffic.remove(named)
      case .capacity(let capacity):
        order.capacity = capacity
        model.setCapacity(capacity)
      }
      try #require(order.count == traffic.scenes.count, place)
    }
  }
}
