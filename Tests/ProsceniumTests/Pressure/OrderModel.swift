// SPDX-License-Identifier: Apache-2.0

/// A disconnection order as one would write it down: plain arrays, from the oldest to the newest.
protocol OrderModel {
  /// The scenes that were found spared.
  var aside: [UInt32] { get set }

  init(capacity: Int)
  mutating func setCapacity(_ capacity: Int)
  mutating func connect(_ scene: UInt32, session: UInt32)
  mutating func use(_ scene: UInt32)
  /// Takes a scene out of every array.
  mutating func remove(_ scene: UInt32, isDiscarded: Bool)
  mutating func inTurn(_ spared: Set<UInt32>) -> UInt32?
  mutating func takeBack(_ scene: UInt32)
}

extension OrderModel {
  mutating func setCapacity(_ capacity: Int) {}

  mutating func first(_ spared: Set<UInt32>) -> UInt32? {
    look(at: min(4, aside.count), spared)
    if let scene = inTurn(spared) { return scene }
    look(at: aside.count, spared)
    return inTurn(spared)
  }

  private mutating func look(at count: Int, _ spared: Set<UInt32>) {
    for _ in 0..<count {
      let scene = aside.removeFirst()
      if spared.contains(scene) { aside.append(scene) } else { takeBack(scene) }
    }
  }
}

struct LRUModel: OrderModel {
  var aside: [UInt32] = []
  private var scenes: [UInt32] = []

  init(capacity: Int) {}

  mutating func connect(_ scene: UInt32, session: UInt32) { scenes.append(scene) }

  mutating func use(_ scene: UInt32) {
    guard let index = scenes.firstIndex(of: scene) else { return }
    scenes.append(scenes.remove(at: index))
  }

  mutating func remove(_ scene: UInt32, isDiscarded: Bool) {
    scenes.removeAll { $0 == scene }
    aside.removeAll { $0 == scene }
  }

  mutating func inTurn(_ spared: Set<UInt32>) -> UInt32? {
    let index = scenes.firstIndex { !spared.contains($0) } ?? scenes.count
    aside += scenes[..<index]
    scenes.removeFirst(index)
    return scenes.first
  }

  mutating func takeBack(_ scene: UInt32) { scenes.append(scene) }
}
