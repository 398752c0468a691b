// SPDX-License-Identifier: Apache-2.0

/// Names scenes on trial, which were used once, before those that have proved themselves.
///
/// A second use ends the trial. At most four fifths of the scenes are proved: one more puts
/// the least recently used of them on trial again.
struct SegmentedLRUOrder: ListedOrder {
  private static let trial: SceneLists.List = 1
  private static let proved: SceneLists.List = 2

  var capacity: Int
  var lists = SceneLists()

  init(capacity: Int) { self.capacity = capacity }

  mutating func didConnect(_ scene: UInt32, session: UInt32) {
    guard lists.list(of: scene) == nil else { return didUse(scene) }
    lists.insert(scene, session: session, into: Self.trial)
  }

  mutating func didUse(_ scene: UInt32) {
    guard let list = lists.list(of: scene), list != SceneLists.aside else { return }
    lists.prove(scene, Self.proved, orElse: Self.trial)
  }

  mutating func firstInTurn(sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    lists.oldest(of: Self.trial, sparing: isSpared)
      ?? lists.oldest(of: Self.proved, sparing: isSpared)
  }

  mutating func takeBack(_ scene: UInt32) {
    lists.prove(scene, Self.proved, orElse: Self.trial)
  }
}

extension SceneLists {
  /// Makes a scene the newest of the proved ones, of which there are at most four for one on trial.
  mutating func prove(_ key: UInt32, _ proved: List, orElse trial: List) {
    move(key, to: proved)
    let surplus = count(of: proved) - (count(of: proved) + count(of: trial)) * 4 / 5
    if surplus > 0, let oldest = oldest(of: proved) { move(oldest, to: trial) }
  }
}
