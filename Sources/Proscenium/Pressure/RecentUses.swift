// SPDX-License-Identifier: Apache-2.0

/// When scenes were used last, roughly: 18 bytes for each key up to the highest.
///
/// Times are *ticks*, coarse and counted by the caller. The scenes are in a list with the
/// one whose last tick is the longest ago in front, so that who is idle is found without a look at
/// the others.
struct RecentUses: Sendable {
  private static let all: SceneLists.List = 1

  private var lists = SceneLists()

  /// How many scenes there are.
  var count: Int { lists.count }

  /// Whether a scene is among them.
  func contains(_ scene: UInt32) -> Bool { lists.list(of: scene) != nil }

  /// Adds a scene that is used now; one that is there already is only used.
  mutating func insert(_ scene: UInt32, at tick: UInt32) {
    if contains(scene) { return use(scene, at: tick) }
    lists.insert(scene, session: tick, into: Self.all)
  }

  /// Notes a use; of the uses within a tick only the first one costs more than a look.
  mutating func use(_ scene: UInt32, at tick: UInt32) {
    guard contains(scene), lists.session(of: scene) != tick else { return }
    lists.remove(scene)
    lists.insert(scene, session: tick, into: Self.all)
  }

  /// Takes a scene out, and says whether it was there.
  @discardableResult
  mutating func remove(_ scene: UInt32) -> Bool { lists.remove(scene) != nil }

  /// The scene that was not used for the longest time, if that was at a tick or before.
  func oldest(notAfter tick: UInt32) -> UInt32? {
    guard let scene = lists.oldest(of: Self.all), lists.session(of: scene) <= tick else {
      return nil
    }
    return scene
  }
}
