// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// What a policy of disconnection decides for all shards.
extension ApplicationCore {
  /// Follows another policy from now on, or none.
  func setDisconnectionPolicy(_ policy: DisconnectionPolicy?) {
    // Behind the gate, so that all shards follow the same one in the end.
    gate.withLock { _ in
      let control = pressure.set(policy)
      for mailbox in directory.mailboxes {
        mailbox.post(ShardItem(slot: 0, work: .pressure(.adopt(control))))
      }
    }
  }

  /// Looks at what is used and who is idle, if it is time for that.
  func lookAtPressure() {
    guard let control = pressure.control,
      let look = control.beginLook(at: pressure.elapsed())
    else { return }
    if look.hasRelieved { control.policy.releaseMemory?() }
    let measure = measure(control)
    pressure.note(measure)
    // A shard that had none to give may have one by now.
    for mailbox in directory.mailboxes { mailbox.isSpent.store(false, ordering: .relaxed) }
    control.decide(measure, among: { givers(control) }) { ask($0, for: $1, control) }
    guard let tick = look.idleTick else { return }
    for mailbox in directory.mailboxes where mailbox.tally.connected > 0 {
      mailbox.post(ShardItem(slot: 0, work: .pressure(.giveIdle(tick, control))))
    }
  }

  /// Has too many scenes shared among the shards.
  ///
  /// - Returns: How many of them the shard that asks has to give.
  func limitScenes(_ control: PressureControl, _ number: Int) -> Int {
    var own = 0
    control.decideCount(among: { givers(control) }) { shard, count in
      if shard == number { own = count } else { ask(shard, for: count, control) }
    }
    return own
  }

  /// Takes note of what a shard has given; who else has to give what is missing is decided again.
  ///
  /// - Returns: How many more that shard has to give.
  func settle(_ control: PressureControl, _ number: Int, asked: Int, given: Int) -> Int {
    var own = 0
    if given < asked { directory.mailboxes[number].isSpent.store(true, ordering: .relaxed) }
    control.settle(
      asked: asked, given: given, among: { givers(control) },
      ask: { shard, count in
        if shard == number { own = count } else { ask(shard, for: count, control) }
      })
    return own
  }

  private func ask(_ shard: Int, for count: Int, _ control: PressureControl) {
    directory.mailboxes[shard].post(ShardItem(slot: 0, work: .pressure(.give(count, control))))
  }

  /// How many scenes each shard could give.
  private func givers(_ control: PressureControl) -> [Int] {
    directory.mailboxes.map { mailbox in
      if mailbox.isSpent.load(ordering: .relaxed) { return 0 }
      return control.policy.takesForeground
        ? max(mailbox.tally.connected, 0) : mailbox.tally.background
    }
  }

  private func measure(_ control: PressureControl) -> PressureLedger.Measure {
    let policy = control.policy
    var measure = PressureLedger.Measure()
    measure.connected = control.connected.load(ordering: .relaxed)
    measure.promised = control.promised.load(ordering: .relaxed)
    measure.used = usedBytes(policy)
    measure.limit = policy.memoryLimit ?? policy.memory.limitBytes()
    measure.stall = policy.memory.stall()
    measure.time = pressure.elapsed()
    return measure
  }

  /// What the policy's source says, or the sum of what connected scenes declare if anything wants
  /// to know.
  private func usedBytes(_ policy: DisconnectionPolicy) -> Int? {
    if !policy.memory.isDeclared { return policy.memory.usedBytes() }
    if policy.memoryLimit == nil { return nil }
    return directory.mailboxes.reduce(0) { sum, mailbox in
      let (scenes, bytes) = mailbox.tally.cost
      return sum + bytes + max(mailbox.tally.connected - scenes, 0) * policy.memoryCost
    }
  }

  // MARK: - Decisions about scenes

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
        state.incoming += items
        return state.doorbell.ring()
      }
      for victim in victims where victim.isDestroyed { gate.destroy(victim) }
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
  private func closeToMessages(_ slots: [Int32], _ shard: Int) -> [Victim] {
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
