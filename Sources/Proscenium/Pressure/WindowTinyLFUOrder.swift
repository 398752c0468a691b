// SPDX-License-Identifier: Apache-2.0

/// Names scenes whose sessions were used seldom of late (W-TinyLFU).
///
/// New scenes enter a window, whose size is learned. Who leaves it as its least recently used scene
/// meets the least recently used of the others: the one whose session was used less of late, by
/// an estimate that outlives the connection, goes. The others are on trial or proved, as in a
/// segmented LRU.
struct WindowTinyLFUOrder: ListedOrder {
  private static let window: SceneLists.List = 1
  private static let trial: SceneLists.List = 2
  private static let proved: SceneLists.List = 3

  var lists = SceneLists()
  private var uses: UseSketch
  private var climber = WindowClimber()

  init(capacity: Int, seed: UInt64) {
    uses = UseSketch(capacity: capacity, seed: seed)
  }

  var capacity: Int {
    get { uses.capacity }
    set { uses.capacity = newValue }
  }

  mutating func didConnect(_ scene: UInt32, session: UInt32) {
    guard lists.list(of: scene) == nil else { return didUse(scene) }
    uses.add(session)
    climber.miss(scenes: lists.count)
    lists.insert(scene, session: session, into: Self.window)
  }

  mutating func didUse(_ scene: UInt32) {
    guard let list = lists.list(of: scene) else { return }
    uses.add(lists.session(of: scene))
    climber.hit()
    switch list {
    case SceneLists.aside: break
    case Self.window: lists.move(scene, to: Self.window)
    default: lists.prove(scene, Self.proved, orElse: Self.trial)
    }
  }

  mutating func firstInTurn(sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    let room = windowRoom
    // The window may have been made smaller: only one of those that leave it at once is compared.
    while lists.count(of: Self.window) > room + 1, let scene = lists.oldest(of: Self.window) {
      lists.move(scene, to: Self.trial)
    }
    let leaving = leavingWindow(room, sparing: isSpared)
    guard let resident = resident(sparing: isSpared) else {
      return lists.oldest(of: Self.window, sparing: isSpared)
    }
    guard let leaving else { return resident }
    guard estimate(leaving) > estimate(resident) else { return leaving }
    lists.move(leaving, to: Self.trial)
    return resident
  }

  mutating func takeBack(_ scene: UInt32) {
    lists.prove(scene, Self.proved, orElse: Self.trial)
  }

  private var windowRoom: Int {
    let inTurn = lists.count - lists.count(of: SceneLists.aside)
    return max(Int(Double(inTurn) * climber.share), 1)
  }

  /// The scene for which the window has no room; those that are spared go aside.
  private mutating func leavingWindow(
    _ room: Int, sparing isSpared: (UInt32) -> Bool
  ) -> UInt32? {
    while lists.count(of: Self.window) > room, let scene = lists.oldest(of: Self.window) {
      guard isSpared(scene) else { return scene }
      lists.move(scene, to: SceneLists.aside)
    }
    return nil
  }

  /// The scene outside of the window that would go first; it is on trial.
  private mutating func resident(sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    if let scene = lists.oldest(of: Self.trial, sparing: isSpared) { return scene }
    guard let scene = lists.oldest(of: Self.proved, sparing: isSpared) else { return nil }
    lists.move(scene, to: Self.trial)
    return scene
  }

  private func estimate(_ scene: UInt32) -> Int { uses.estimate(lists.session(of: scene)) }
}
