// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Draws what can happen to scenes, with the keys that a runtime would give them.
struct RandomTraffic {
  enum Step {
    case connect(UInt32, session: UInt32)
    case use(UInt32)
    case remove(UInt32, isDiscarded: Bool)
    /// Asks who goes first, and whether that scene then goes.
    case ask(spared: Set<UInt32>, goes: Bool)
    case capacity(Int)
  }

  /// The connected scenes, in the order of their connection, and their sessions.
  private(set) var scenes: [UInt32] = []
  private(set) var sessions: [UInt32: UInt32] = [:]
  private(set) var capacity = 30
  private var generator: SplitMix64
  private let isReusingKeys: Bool
  private let isSparing: Bool
  private var nextKey: UInt32 = 0
  /// Scenes that stay spared, as those that are kept.
  private var kept: Set<UInt32> = []

  init(seed: UInt64, isReusingKeys: Bool, isSparing: Bool = true) {
    generator = SplitMix64(seed: seed)
    self.isReusingKeys = isReusingKeys
    self.isSparing = isSparing
  }

  mutating func next() -> Step {
    switch UInt8.random(in: 0..<100, using: &generator) {
    case 0..<40: useOrConnect()
    case 40..<84 where scenes.count > capacity: ask(goes: true)
    case 40..<84: useOrConnect()
    case 84..<92: ask(goes: Bool.random(using: &generator))
    case 92..<98: removeAny()
    case 98: changeKept()
    default: changeCapacity()
    }
  }

  mutating func remove(_ scene: UInt32) {
    scenes.removeAll { $0 == scene }
    sessions[scene] = nil
    kept.remove(scene)
  }

  private mutating func useOrConnect() -> Step {
    // Small numbers are popular.
    let most = UInt32.random(in: 1...120, using: &generator)
    let session = UInt32.random(in: 0..<most, using: &generator)
    if let scene = scenes.first(where: { sessions[$0] == session }) { return .use(scene) }
    var key = nextKey
    nextKey += 1
    if isReusingKeys { key = (0...).first { sessions[$0] == nil } ?? key }
    scenes.append(key)
    sessions[key] = session
    return .connect(key, session: session)
  }

  private mutating func removeAny() -> Step {
    guard let scene = scenes.randomElement(using: &generator) else { return useOrConnect() }
    remove(scene)
    return .remove(scene, isDiscarded: Bool.random(using: &generator))
  }

  private mutating func ask(goes: Bool) -> Step {
    guard isSparing else { return .ask(spared: [], goes: goes) }
    // None, a few, most or all.
    let share = [0, 0, 10, 50, 90, 100].randomElement(using: &generator) ?? 0
    let spared = scenes.filter { _ in Int.random(in: 0..<100, using: &generator) < share }
    return .ask(spared: kept.union(spared), goes: goes)
  }

  private mutating func changeKept() -> Step {
    let share = [0, 20, 80].randomElement(using: &generator) ?? 0
    kept = Set(scenes.filter { _ in Int.random(in: 0..<100, using: &generator) < share })
    return ask(goes: false)
  }

  private mutating func changeCapacity() -> Step {
    capacity = [3, 30, 60].randomElement(using: &generator) ?? 30
    return .capacity(capacity)
  }
}
