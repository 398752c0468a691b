// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many scenes of one shard are connected, active and inactive, readable from anywhere.
///
/// Only the shard writes, so that plain stores do. A word that all shards share is touched when a
/// shard's first scene becomes active or its last one stops being so.
final class SceneTally: Sendable {
  private let connectedCount = Atomic<Int>(0)
  private let activeCount = Atomic<Int>(0)
  private let inactiveCount = Atomic<Int>(0)
  private let costedCount = Atomic<Int>(0)
  private let costedBytes = Atomic<Int>(0)

  var connected: Int { connectedCount.load(ordering: .relaxed) }

  var active: Int { activeCount.load(ordering: .relaxed) }

  var inactive: Int { inactiveCount.load(ordering: .relaxed) }

  /// How many scenes are in the background, as nearly as it can be told while they move.
  var background: Int {
    let foreground =
      activeCount.load(ordering: .relaxed) + inactiveCount.load(ordering: .relaxed)
    return max(connected - foreground, 0)
  }

  /// How many scenes say how many bytes they take, and the sum of that.
  var cost: (scenes: Int, bytes: Int) {
    (costedCount.load(ordering: .relaxed), costedBytes.load(ordering: .relaxed))
  }

  /// Takes note that a scene says another number of bytes, or none.
  func setCost(from old: Int?, to new: Int?) {
    if old == new { return }
    add((new == nil ? 0 : 1) - (old == nil ? 0 : 1), to: costedCount)
    add((new ?? 0) - (old ?? 0), to: costedBytes)
  }

  /// Counts a scene as connected (`1`) or not (`-1`).
  func connect(_ change: Int) {
    add(change, to: connectedCount)
  }

  /// Counts a scene from one state to another.
  ///
  /// - Returns: How the application's state changed by it.
  func move(
    from old: SceneActivationState, to new: SceneActivationState,
    _ aggregate: borrowing ApplicationTally
  ) -> ApplicationTally.Change? {
    var active = 0
    var inactive = 0
    if new == .foregroundActive, add(1, to: activeCount) == 1 { active += 1 }
    if new == .foregroundInactive, add(1, to: inactiveCount) == 1 { inactive += 1 }
    if old == .foregroundActive, add(-1, to: activeCount) == 0 { active -= 1 }
    if old == .foregroundInactive, add(-1, to: inactiveCount) == 0 { inactive -= 1 }
    return aggregate.add(active: active, inactive: inactive)
  }

  /// Counts an active scene more (`1`) or less (`-1`) while a hand-over runs, so that the
  /// application does not seem to leave the foreground in between (R-AGG-1).
  func credit(
    _ change: Int, _ aggregate: borrowing ApplicationTally
  ) -> ApplicationTally.Change? {
    let count = add(change, to: activeCount)
    if change > 0, count == 1 { return aggregate.add(active: 1, inactive: 0) }
    if change < 0, count == 0 { return aggregate.add(active: -1, inactive: 0) }
    return nil
  }

  @discardableResult
  private func add(_ change: Int, to counter: borrowing Atomic<Int>) -> Int {
    let value = counter.load(ordering: .relaxed) + change
    counter.store(value, ordering: .relaxed)
    return value
  }
}

/// How many shards have an active and an inactive scene, in one word: a change of it knows
/// alone how the application's state changed.
struct ApplicationTally: ~Copyable, Sendable {
  /// From one state of the application to another.
  struct Change {
    let old: ApplicationState
    let new: ApplicationState

    /// What UIKit posts of it (R-AGG-1).
    var notification: LifecycleEvent.ApplicationNotification? {
      switch (old, new) {
      case (.background, .inactive): .willEnterForeground
      case (_, .active): .didBecomeActive
      case (.active, _): .willResignActive
      case (_, .background): .didEnterBackground
      case (.inactive, .inactive): nil
      }
    }
  }

  /// The inactive shards in the upper half, the active ones in the lower.
  private let shards = Atomic<UInt64>(0)

  var state: ApplicationState { Self.state(shards.load(ordering: .acquiring)) }

  func add(active: Int, inactive: Int) -> Change? {
    guard active != 0 || inactive != 0 else { return nil }
    let change = UInt64(bitPattern: Int64(inactive << 32 + active))
    let (old, new) = shards.wrappingAdd(change, ordering: .acquiringAndReleasing)
    let states = Change(old: Self.state(old), new: Self.state(new))
    return states.old == states.new ? nil : states
  }

  private static func state(_ shards: UInt64) -> ApplicationState {
    if UInt32(truncatingIfNeeded: shards) > 0 { return .active }
    return shards >> 32 > 0 ? .inactive : .background
  }
}
