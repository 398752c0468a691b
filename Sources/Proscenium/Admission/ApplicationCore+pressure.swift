// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// What a policy of disconnection decides about scenes.
extension ApplicationCore {
  /// Follows another policy from now on, or none.
  func setDisconnectionPolicy(_ policy: DisconnectionPolicy?) {
    // Behind the gate, so that all shards follow the same one in the end.
    gate.withLock { _ in sharedPressure.follow(policy) }
  }

  /// Decides that scenes are disconnected, all of one shard and in one step.
  ///
  /// One whose session is to be elsewhere by now, or has something queued, keeps its scene.
  ///
  /// - Parameters:
  ///   - slots: The sessions'.
  ///   - shard: Their shard.
  ///   - reason: Why.
  ///   - takesForeground: Whether those in the foreground go to the background first.
  /// - Returns: Those that keep their scenes.
  func disconnect(
    _ slots: [Int32], of shard: Int, _ reason: LifecycleEvent.Reason, takesForeground: Bool
  ) -> [Int32] {
    let (gone, sleeper) = gate.withLock { gate -> (Set<Int32>, Sleeper?) in
      guard gate.phase == .running else { return ([], nil) }
      let standing = slots.filter { slot in
        let state = gate.ledger[handle(slot, shard)].state
        return state == .background || takesForeground && state.isForeground
      }
      let victims = closeToMessages(standing, shard)
      var items: [ShardItem] = []
      items.reserveCapacity(victims.count)
      for victim in victims where !victim.isDestroyed {
        items.append(ShardItem(slot: victim.slot, work: .plan(gate.disconnect(victim, reason))))
      }
      let sleeper = directory.mailboxes[shard].state.withLock { [items] state in
        for item in items { state.queue.append(item) }
        return state.doorbell.ring()
      }
      // R-DC-1. The shard's own task is awake by then, or will be woken for the others.
      for victim in victims where victim.isDestroyed {
        _ = gate.sendToBackground(victim.handle, isClosed: true, Reporting())
        _ = gate.destroy(victim.session, victim.handle, .destructionCondition, Reporting())
      }
      return (Set(victims.map(\.slot)), sleeper)
    }
    sleeper?.wake()
    if !gone.isEmpty { pressure.note(gone.count, reason) }
    return slots.filter { !gone.contains($0) }
  }

  private func handle(_ slot: Int32, _ shard: Int) -> SessionHandle {
    SessionHandle(slot: Int(slot), shard: shard, shardBits: directory.shardBits)
  }

  /// Sees to it that what is sent to sessions from here on waits for the gate.
  ///
  /// - Returns: Those for which nothing is queued.
  func closeToMessages(_ slots: [Int32], _ shard: Int) -> [Victim] {
    directory.mailboxes[shard].state.withLock { state in
      let queued = state.queuedSlots
      return slots.compactMap { slot in
        if queued.contains(slot) { return nil }
        state.entries[Int(slot)].flags[.isConnected] = false
        return Victim(
          slot: slot, handle: handle(slot, shard), session: state.entries[Int(slot)].identifier,
          isDestroyed: state.entries[Int(slot)].isDestroyed(by: .systemDisconnection))
      }
    }
  }
}
