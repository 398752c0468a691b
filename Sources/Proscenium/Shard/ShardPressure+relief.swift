// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// Scenes that a policy disconnects: who goes is chosen here, and decided behind the gate.
extension ShardPressure {
  /// How many scenes are decided about while the gate is held once.
  private static let batchLimit = 256

  /// Takes up what the policy asks of the shard, to be done when the pass is over.
  func take(_ request: Request) {
    switch request {
    case .adopt: break
    case .give(let count, let control): if self.control === control { owed += count }
    case .giveIdle(let tick, let control): if self.control === control { idleTick = tick }
    }
  }

  /// Disconnects what has to go, at the end of a pass.
  func relieve(_ shard: isolated Shard) {
    if hasGrown { limit(shard) }
    if let tick = idleTick.take() { giveIdle(notUsedSince: tick, shard) }
    if owed > 0 { give(shard) }
  }

  /// Has too many scenes shared among the shards, since this one has connected more.
  private func limit(_ shard: isolated Shard) {
    hasGrown = false
    shard.mailbox.isSpent.store(false, ordering: .relaxed)
    // What is said of the new scene comes before the look at what others have promised.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if control.isOverLimit { owed += shard.core.sharedPressure.limitScenes(control, shard.number) }
  }

  private func give(_ shard: isolated Shard) {
    var given = 0
    // A scene that is spared for what is queued can go after the next pass.
    var hasQueued = false
    while given < owed {
      let queued = shard.mailbox.queuedSlots
      let time = shard.core.pressure.elapsed()
      let named = takeFirst(min(owed - given, Self.batchLimit)) { slot in
        if queued.contains(slot) { hasQueued = true }
        return queued.contains(slot) || isSpared(slot, at: time, shard)
      }
      if named.isEmpty { break }
      let gone = disconnect(named, .pressure, shard)
      if gone == 0 { break }
      given += gone
    }
    let asked = hasQueued ? given : owed
    owed -= asked
    owed += shard.core.sharedPressure.settle(control, shard.number, asked: asked, given: given)
  }

  private func giveIdle(notUsedSince tick: UInt32, _ shard: isolated Shard) {
    while true {
      let queued = shard.mailbox.queuedSlots
      let time = shard.core.pressure.elapsed()
      let named = takeIdle(Self.batchLimit, notUsedSince: tick) { slot in
        queued.contains(slot) || isSpared(slot, at: time, shard)
      }
      if named.isEmpty { return }
      _ = disconnect(named, .idle, shard)
    }
  }

  /// Has scenes disconnected; one for which something has come since is kept, as one just used.
  ///
  /// - Returns: How many were.
  private func disconnect(
    _ named: [Int32], _ reason: LifecycleEvent.Reason, _ shard: isolated Shard
  ) -> Int {
    let kept = shard.core.disconnect(
      named, of: shard.number, reason, takesForeground: control.policy.takesForeground)
    for slot in kept {
      guard let scene = shard.scenes[slot] else { continue }
      didConnect(slot, session: scene.persistentIdentifier)
    }
    let count = named.count - kept.count
    if count > 0 { shard.isAnotherPassWanted = true }
    return count
  }

  /// Whether a scene stays for now, whatever is in the queue.
  private func isSpared(_ slot: Int32, at time: Duration, _ shard: isolated Shard) -> Bool {
    guard let scene = shard.scenes[slot], !shard.lanes.contains(slot) else { return true }
    switch scene.activationState {
    case .unattached: return true
    case .background: break
    case .foregroundActive, .foregroundInactive:
      if !control.policy.takesForeground { return true }
    }
    return scene.isRestoring || scene.assumeIsolated { $0.hints.spares(at: time) }
  }
}
