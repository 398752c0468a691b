// SPDX-License-Identifier: Apache-2.0

struct SieveModel: OrderModel {
  var aside: [UInt32] = []
  private var scenes: [UInt32] = []
  private var used: Set<UInt32> = []
  // The index in `scenes` of what is looked at next.
  private var hand = 0

  init(capacity: Int) {}

  mutating func connect(_ scene: UInt32, session: UInt32) { append(scene) }

  mutating func use(_ scene: UInt32) {
    if scenes.contains(scene) || aside.contains(scene) { used.insert(scene) }
  }

  mutating func remove(_ scene: UInt32, isDiscarded: Bool) {
    aside.removeAll { $0 == scene }
    used.remove(scene)
    guard let index = scenes.firstIndex(of: scene) else { return }
    take(at: index)
  }

  mutating func inTurn(_ spared: Set<UInt32>) -> UInt32? {
    while !scenes.isEmpty {
      let scene = scenes[hand]
      if spared.contains(scene) {
        take(at: hand)
        aside.append(scene)
      } else if used.remove(scene) == nil {
        return scene
      } else {
        hand = (hand + 1) % scenes.count
      }
    }
    return nil
  }

  mutating func takeBack(_ scene: UInt32) {
    append(scene)
    used.insert(scene)
  }

  private mutating func append(_ scene: UInt32) {
    scenes.append(scene)
  }

  private mutating func take(at index: Int) {
    scenes.remove(at: index)
    if index < hand { hand -= 1 }
    if hand >= scenes.count { hand = 0 }
  }
}
