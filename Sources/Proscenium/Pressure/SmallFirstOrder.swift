// SPDX-License-Identifier: Apache-2.0

/// Names scenes of a small list of new ones, before those of the main list (S3-FIFO).
///
/// A tenth of the scenes are new. A new scene with two further uses goes over to the main list in
/// its turn; others go, and their sessions are remembered for a while: who comes back
/// begins in the main list. There a use gives one more round, three at most. Both lists are in the
/// order of arrival, and a use only counts.
struct SmallFirstOrder: ListedOrder {
  private static let new: SceneLists.List = 1
  private static let main: SceneLists.List = 2
  private static let useLimit: UInt8 = 3

  var lists = SceneLists()
  private var remembered: SessionMemory

  init(capacity: Int) { remembered = SessionMemory(limit: capacity) }

  var capacity: Int {
    get { remembered.limit }
    set { remembered.limit = newValue }
  }

  mutating func didConnect(_ scene: UInt32, session: UInt32) {
    guard lists.list(of: scene) == nil else { return didUse(scene) }
    let isBack = remembered.remove(session)
    lists.insert(scene, session: session, into: isBack ? Self.main : Self.new)
  }

  mutating func didUse(_ scene: UInt32) {
    guard lists.list(of: scene) != nil else { return }
    lists[mark: scene] = min(lists[mark: scene] + 1, Self.useLimit)
  }

  mutating func didDisconnect(_ scene: UInt32) {
    guard let list = lists.remove(scene), list == Self.new else { return }
    remembered.insert(lists.session(of: scene))
  }

  mutating func didDiscard(_ scene: UInt32) { lists.remove(scene) }

  mutating func firstInTurn(sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    // Each step sets a scene aside, moves one to the main list, or takes a use away.
    while let scene = lists.oldest(of: listInTurn) {
      let isNew = listInTurn == Self.new
      let uses = lists[mark: scene]
      if isSpared(scene) {
        lists.move(scene, to: SceneLists.aside)
      } else if uses > (isNew ? 1 : 0) {
        lists[mark: scene] = isNew ? 0 : uses - 1
        lists.move(scene, to: Self.main)
      } else {
        return scene
      }
    }
    return nil
  }

  /// New scenes have their turn where they are over a tenth, or where there are no others.
  private var listInTurn: SceneLists.List {
    let (new, main) = (lists.count(of: Self.new), lists.count(of: Self.main))
    return main == 0 || new > (new + main) / 10 ? Self.new : Self.main
  }

  mutating func takeBack(_ scene: UInt32) { lists.move(scene, to: Self.main) }
}
