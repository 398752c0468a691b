// SPDX-License-Identifier: Apache-2.0

/// What the orders share that keep their scenes in lists: how they pass over those that are spared.
///
/// A spared scene that would go first is put aside, so that it is not met each time. Each question
/// looks at a few of those aside, and at all of them where no other is left.
protocol ListedOrder: DisconnectionOrder {
  /// The connected scenes.
  var lists: SceneLists { get set }

  /// Names a scene that is not aside, and puts those aside that it finds spared.
  mutating func firstInTurn(sparing isSpared: (UInt32) -> Bool) -> UInt32?

  /// Takes a scene that was aside into a list again, as one that was just used.
  mutating func takeBack(_ scene: UInt32)
}

extension ListedOrder {
  /// How many of the scenes aside are looked at for each question.
  private static var asideLooks: Int { 4 }

  var count: Int { lists.count }

  mutating func didDisconnect(_ scene: UInt32) { lists.remove(scene) }

  mutating func didDiscard(_ scene: UInt32) { didDisconnect(scene) }

  mutating func first(sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    lookAside(Self.asideLooks, sparing: isSpared)
    if let scene = firstInTurn(sparing: isSpared) { return scene }
    lookAside(.max, sparing: isSpared)
    return firstInTurn(sparing: isSpared)
  }

  private mutating func lookAside(_ looks: Int, sparing isSpared: (UInt32) -> Bool) {
    for _ in 0..<min(looks, lists.count(of: SceneLists.aside)) {
      guard let scene = lists.oldest(of: SceneLists.aside) else { return }
      if isSpared(scene) {
        lists.move(scene, to: SceneLists.aside)
      } else {
        takeBack(scene)
      }
    }
  }
}

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
