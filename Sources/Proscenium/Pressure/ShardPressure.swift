// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What one shard notes for a policy of disconnection; it is touched on the shard's executor alone.
///
/// A scene that was named is gone from here at once, before its disconnect runs, so that it is
/// neither named nor counted twice.
final class ShardPressure {
  /// What a shard is asked for, as an item of its queue.
  enum Request: Sendable {
    /// Another policy is in force, or none.
    case adopt(PressureControl?)
    /// So many scenes have to go.
    case give(Int, PressureControl)
    /// Scenes that were not used since this tick have to go.
    case giveIdle(UInt32, PressureControl)
  }

  let control: PressureControl
  private var order: any DisconnectionOrder
  /// The scenes that it knows, and when each was used last, if that is asked for.
  private var uses = RecentUses()
  private let watchesIdle: Bool
  /// How many scenes it was asked for and has not given.
  var owed = 0
  /// Scenes that were not used since this tick are to go.
  var idleTick: UInt32?
  /// Whether a scene was connected since it was last looked at.
  var hasGrown = false

  init(_ control: PressureControl, number: Int, shards: Int) {
    self.control = control
    watchesIdle = control.policy.idleTime != nil
    let expected = control.policy.sceneLimit.map { ($0 + shards - 1) / shards } ?? 0
    order = control.policy.order.makeOrder(
      capacity: max(expected, 64), seed: control.policy.seed &+ UInt64(number))
  }

  deinit {
    control.connected.wrappingSubtract(uses.count, ordering: .relaxed)
  }

  private var tick: UInt32 { control.tick.load(ordering: .relaxed) }

  // MARK: - What happens to scenes

  func didConnect(_ slot: Int32, session: SessionIdentifier) {
    let key = UInt32(bitPattern: slot)
    if !uses.contains(key) { control.connected.wrappingAdd(1, ordering: .relaxed) }
    uses.insert(key, at: tick)
    order.didConnect(key, session: UInt32(truncatingIfNeeded: session.spread))
    if uses.count > order.capacity { order.capacity = uses.count }
    hasGrown = true
  }

  @inline(__always)
  func didUse(_ slot: Int32) {
    let key = UInt32(bitPattern: slot)
    order.didUse(key)
    if watchesIdle { uses.use(key, at: tick) }
  }

  func didDisconnect(_ slot: Int32) {
    let key = UInt32(bitPattern: slot)
    guard uses.remove(key) else { return }
    order.didDisconnect(key)
    control.connected.wrappingSubtract(1, ordering: .relaxed)
  }

  func didDiscard(_ slot: Int32) {
    let key = UInt32(bitPattern: slot)
    guard uses.remove(key) else { return }
    order.didDiscard(key)
    control.connected.wrappingSubtract(1, ordering: .relaxed)
  }

  // MARK: - Who goes

  /// Names scenes that go first, at most so many, and lets go of them.
  func takeFirst(_ count: Int, sparing isSpared: (Int32) -> Bool) -> [Int32] {
    var named: [Int32] = []
    while named.count < count,
      let key = order.first(sparing: { isSpared(Int32(bitPattern: $0)) })
    {
      let slot = Int32(bitPattern: key)
      didDisconnect(slot)
      named.append(slot)
    }
    return named
  }

  /// Names idle scenes, at most so many, and lets go of them.
  ///
  /// One that is spared counts as used now, so that it is not met again at once.
  func takeIdle(
    _ count: Int, notUsedSince tick: UInt32, sparing isSpared: (Int32) -> Bool
  ) -> [Int32] {
    var named: [Int32] = []
    while named.count < count, let key = uses.oldest(notAfter: tick) {
      let slot = Int32(bitPattern: key)
      if isSpared(slot) {
        uses.use(key, at: self.tick)
      } else {
        didDisconnect(slot)
        named.append(slot)
      }
    }
    return named
  }
}
