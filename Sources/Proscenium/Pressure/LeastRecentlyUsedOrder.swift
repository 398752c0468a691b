// SPDX-License-Identifier: Apache-2.0

/// Names the scene that was not used for the longest time (R-DIS-4).
struct LeastRecentlyUsedOrder: ListedOrder {
  private static let all: SceneLists.List = 1

  var capacity: Int
  var lists = SceneLists()

  init(capacity: Int) { self.capacity = capacity }

  mutating func didConnect(_ scene: UInt32, session: UInt32) {
    guard lists.list(of: scene) == nil else { return didUse(scene) }
    lists.insert(scene, session: session, into: Self.all)
  }

  mutating func didUse(_ scene: UInt32) {
    if lists.list(of: scene) == Self.all { lists.move(scene, to: Self.all) }
  }

  mutating func firstInTurn(sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    lists.oldest(of: Self.all, sparing: isSpared)
  }

  mutating func takeBack(_ scene: UInt32) { lists.move(scene, to: Self.all) }
}
