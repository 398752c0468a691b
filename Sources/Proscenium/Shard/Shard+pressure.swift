// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// Scenes that a policy disconnects: who goes is chosen here, and decided behind the gate.
extension Shard {
  /// How many scenes are decided about while the gate is held once.
  private static let batchLimit = 256

  /// Takes up what the policy asks of the shard, to be done when the pass is over.
  func take(_ request: ShardPressure.Request) {
    switch request {
    case .adopt(let control): adopt(control)
    case .give(let count, let control):
      if let pressure, pressure.control === control { pressure.owed += count }
    case .giveIdle(let tick, let control):
      if let pressure, pressure.control === control { pressure.idleTick = tick }
    }
  }

  /// Follows a policy from now on, or none; every scene counts as connected just now.
  func adopt(_ control: PressureControl?) {
    guard pressure?.control !== control else { return }
    pressure = nil
    guard let control else { return }
    mailbox.isSpent.store(false, ordering: .relaxed)
    let made = ShardPressure(control, number: number, shards: core.directory.mailboxes.count)
    for scene in connectedScenes {
      made.didConnect(scene.slot, session: scene.persistentIdentifier)
    }
    pressure = made
  }

  /// Disconnects what has to go, at the end of a pass.
  func relieve(_ pressure: ShardPressure) {
    let control = pressure.control
    if pressure.hasGrown { limit(pressure, control) }
    if let tick = pressure.idleTick.take() { giveIdle(pressure, notUsedSince: tick) }
    if pressure.owed > 0 { give(pressure) }
  }

  /// Has too many scenes shared among the shards, since this one has connected more.
  private func limit(_ pressure: ShardPressure, _ control: PressureControl) {
    pressure.hasGrown = false
    mailbox.isSpent.store(false, ordering: .relaxed)
    // What is said of the new scene comes before the look at what others have promised.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if control.isOverLimit { pressure.owed += core.limitScenes(control, number) }
  }

  private func give(_ pressure: ShardPressure) {
    var given = 0
    // Whoever is spared for what is queued can go after the next pass.
    var hasQueued = false
    while given < pressure.owed {
      let queued = mailbox.queuedSlots
      let time = core.pressure.elapsed()
      let named = pressure.takeFirst(min(pressure.owed - given, Self.batchLimit)) { slot in
        if queued.contains(slot) { hasQueued = true }
        return queued.contains(slot) || isSpared(slot, pressure.control.policy, at: time)
      }
      if named.isEmpty { break }
      let gone = disconnect(named, .pressure, pressure)
      if gone == 0 { break }
      given += gone
    }
    let asked = hasQueued ? given : pressure.owed
    pressure.owed -= asked
    pressure.owed += core.settle(pressure.control, number, asked: asked, given: given)
  }

  private func giveIdle(_ pressure: ShardPressure, notUsedSince tick: UInt32) {
    while true {
      let queued = mailbox.queuedSlots
      let time = core.pressure.elapsed()
      let named = pressure.takeIdle(Self.batchLimit, notUsedSince: tick) { slot in
        queued.contains(slot) || isSpared(slot, pressure.control.policy, at: time)
      }
      if named.isEmpty { return }
      _ = disconnect(named, .idle, pressure)
    }
  }

  /// Has scenes disconnected; one for which something has come since is kept, as one just used.
  ///
  /// - Returns: How many were.
  private func disconnect(
    _ named: [Int32], _ reason: LifecycleEvent.Reason, _ pressure: ShardPressure
  ) -> Int {
    let kept = core.disconnect(
      named, of: number, reason, takesForeground: pressure.control.policy.takesForeground)
    for slot in kept {
      guard let scene = scene(slot) else { continue }
      pressure.didConnect(slot, session: scene.persistentIdentifier)
    }
    let count = named.count - kept.count
    if count > 0 { isAnotherPassWanted = true }
    return count
  }

  /// Whether a scene stays for now, whatever stands in the queue.
  private func isSpared(_ slot: Int32, _ policy: DisconnectionPolicy, at time: Duration) -> Bool {
    guard let scene = scene(slot), !lanes.contains(slot) else { return true }
    switch scene.activationState {
    case .unattached: return true
    case .background: break
    case .foregroundActive, .foregroundInactive: if !policy.takesForeground { return true }
    }
    return scene.isRestoring || scene.assumeIsolated { $0.hints.spares(at: time) }
  }
}
