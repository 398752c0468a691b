// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A change of what a session holds, which its shard makes whatever the session's lane waits for.
struct UpdateRun {
  let update: SessionUpdate
  let slot: Int32

  init(_ update: SessionUpdate, _ slot: Int32) {
    self.update = update
    self.slot = slot
  }

  /// Makes the change, or keeps it until the saved state is there that it needs.
  func carryOutOrHold(in shard: isolated Shard) {
    if mustWait(in: shard) { shard.reads.hold(update, slot) } else { carryOut(in: shard) }
  }

  /// Whether the change has to wait for a saved state, which is asked for.
  private func mustWait(in shard: isolated Shard) -> Bool {
    if shard.reads.holdsUpdates(slot) { return true }
    if shard.scenes[slot] == nil {
      return update.use == .needed && shard.mailbox.isAlive(slot) && !shard.hasState(slot)
    }
    guard shard.reads.withheld.contains(slot) else { return false }
    return (update.durable != nil || update.use == .untouched && !shard.isLocked)
      && !shard.hasState(slot)
  }

  /// Changes what the session holds: by its scene, if it has one.
  func carryOut(in shard: isolated Shard) {
    let directory = shard.core.directory
    guard shard.mailbox.isAlive(slot) else {
      return update.fail(.connectionFailed(directory.identifier(shard.handle(slot))))
    }
    do throws(SceneError) {
      let unread = shard.reads.takeError(slot)
      if let scene = shard.scenes[slot] {
        if let unread, update.durable != nil { throw unread }
        shard.scenes.record(try SceneOnShard(scene).carryOut(update), of: scene)
        if update.durable != nil, !scene.assumeIsolated({ $0.isStateTaken }) {
          throw SceneError(
            .notDurable, session: scene.persistentIdentifier,
            "the change was made, and the state that it led to is not kept")
        }
      } else {
        if let unread, update.use == .needed { throw unread }
        try change(in: shard)
      }
    } catch {
      return update.fail(error)
    }
    // A later connection must not take the answer to what this one has asked.
    if update.use == .dropped, shard.reads.forget(slot) { shard.lanes.release(slot) }
    if let durable = update.durable {
      shard.scenes.batch.awaiting.append(
        .ticket(durable, of: directory.identifier(shard.handle(slot))))
    }
    update.ticket?.answer(.success(directory.session(shard.handle(slot))))
  }

  /// Changes what a session without a scene holds.
  private func change(in shard: isolated Shard) throws(SceneError) {
    let (core, scenes) = (shard.core, shard.scenes)
    if update.durable != nil,
      !shard.mailbox.state.withLock({ $0.entries[Int(slot)].flags[.isVisible] })
    {
      throw SceneError(
        .sessionNotOpen, session: core.directory.identifier(shard.handle(slot)),
        "the session has not opened yet, so that nothing of it is kept")
    }
    var session = core.directory.session(shard.handle(slot))
    let before = session.details
    try update.change(&session)
    var parts = session.details.differences(from: before)
    if update.use == .dropped { parts.insert(.state) }
    let storable = core.rules.storable(session.details)
    let sealed =
      parts.contains(.state)
      ? try scenes.sealer.seal(storable.state, of: session.persistentIdentifier) : nil
    scenes.show(session.details, slot, isStateHere: update.use == .dropped)
    let (isOpen, isUnsaved) = shard.mailbox.state.withLock { state in
      let entry = state.entries[Int(slot)]
      // A session without a row has nothing in the store that could change: its first scene brings
      // both.
      if !entry.flags[.isVisible], sealed != nil {
        state.entries[Int(slot)].flags[.isStateUnsaved] = true
      }
      return (entry.flags[.isVisible], entry.flags[.isStateUnsaved])
    }
    guard isOpen else { return }
    var changes = SceneChanges(session.details)
    // What cannot be opened may be kept with a row that is not what was written.
    changes.isRowChanged = parts.contains(.row) || update.use == .dropped
    changes.sealed = sealed
    scenes.record(changes, session.persistentIdentifier, slot)
    // What could not be sealed before is in memory only, unless it was sealed now.
    let isSealed = sealed != nil || !isUnsaved
    scenes.leaveState(slot, isKept: isSealed && storable.isIdentical(to: session.details))
  }
}
