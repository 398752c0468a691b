// SPDX-License-Identifier: Apache-2.0

/// Names the first scene that a hand finds unused since it last came by (SIEVE).
///
/// The hand goes from the oldest connection to the newest and begins anew; scenes keep their
/// places. A use only sets a mark, which the hand takes away.
struct SieveOrder: ListedOrder {
  private static let all: SceneLists.List = 1

  var capacity: Int
  var lists = SceneLists()
  /// Where the hand is; nil before the oldest scene.
  private var hand: UInt32?

  init(capacity: Int) { self.capacity = capacity }

  mutating func didConnect(_ scene: UInt32, session: UInt32) {
    guard lists.list(of: scene) == nil else { return didUse(scene) }
    lists.insert(scene, session: session, into: Self.all)
  }

  mutating func didUse(_ scene: UInt32) {
    guard lists.list(of: scene) != nil else { return }
    lists[mark: scene] = 1
  }

  mutating func didDisconnect(_ scene: UInt32) {
    if hand == scene { hand = lists.newer(than: scene) }
    lists.remove(scene)
  }

  mutating func firstInTurn(sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    // Each step sets a scene aside or takes a mark away.
    while let scene = hand ?? lists.oldest(of: Self.all) {
      hand = scene
      let stays = isSpared(scene)
      if !stays, lists[mark: scene] == 0 { return scene }
      hand = lists.newer(than: scene)
      if stays { lists.move(scene, to: SceneLists.aside) } else { lists[mark: scene] = 0 }
    }
    return nil
  }

  mutating func takeBack(_ scene: UInt32) {
    lists.move(scene, to: Self.all)
    lists[mark: scene] = 1
  }
}
