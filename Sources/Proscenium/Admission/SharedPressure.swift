// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// What a policy of disconnection decides for all shards: which of them gives how many scenes.
struct SharedPressure: Sendable {
  let mailboxes: [ShardMailbox]
  let watch: PressureWatch

  /// Has all shards follow another policy from now on, or none; one caller at a time.
  func follow(_ policy: DisconnectionPolicy?) {
    let control = watch.set(policy)
    for mailbox in mailboxes {
      mailbox.post(ShardItem(slot: 0, work: .pressure(.adopt(control))))
    }
  }

  /// Looks at what is used and who is idle, if it is time for that.
  func look() {
    guard let control = watch.control,
      let look = control.beginLook(at: watch.elapsed())
    else { return }
    if look.hasRelieved { control.policy.releaseMemory?() }
    let measure = measure(control)
    watch.note(measure)
    // A shard that had none to give may have one by now.
    for mailbox in mailboxes { mailbox.isSpent.store(false, ordering: .relaxed) }
    control.decide(measure, among: { givers(control) }) { ask($0, for: $1, control) }
    guard let tick = look.idleTick else { return }
    for mailbox in mailboxes where mailbox.tally.connected > 0 {
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
    if given < asked { mailboxes[number].isSpent.store(true, ordering: .relaxed) }
    control.settle(
      asked: asked, given: given, among: { givers(control) },
      ask: { shard, count in
        if shard == number { own = count } else { ask(shard, for: count, control) }
      })
    return own
  }

  private func ask(_ shard: Int, for count: Int, _ control: PressureControl) {
    mailboxes[shard].post(ShardItem(slot: 0, work: .pressure(.give(count, control))))
  }

  /// How many scenes each shard could give.
  private func givers(_ control: PressureControl) -> [Int] {
    mailboxes.map { mailbox in
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
    measure.time = watch.elapsed()
    return measure
  }

  /// What the policy's source says, or the sum of what connected scenes declare if anything wants
  /// to know.
  private func usedBytes(_ policy: DisconnectionPolicy) -> Int? {
    if !policy.memory.isDeclared { return policy.memory.usedBytes() }
    if policy.memoryLimit == nil { return nil }
    return mailboxes.reduce(0) { sum, mailbox in
      let (scenes, bytes) = mailbox.tally.cost
      return sum + bytes + max(mailbox.tally.connected - scenes, 0) * policy.memoryCost
    }
  }
}
