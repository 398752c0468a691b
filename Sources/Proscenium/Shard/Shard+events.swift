// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// What is changed whatever a lane waits for, and what is made known of it.
extension Shard {
  // MARK: - What does not wait for a lane

  /// Changes what a session holds: by its scene, if it has one.
  func carryOut(_ update: SessionUpdate, _ slot: Int32) {
    guard isAlive(slot) else {
      return update.fail(connectionFailed(slot))
    }
    do throws(SceneError) {
      let unread = reads.takeError(slot)
      if let scene = scene(slot) {
        if let unread, update.durable != nil { throw unread }
        record(try scene.carryOutOnShard(update), of: scene)
        if update.durable != nil, !scene.assumeIsolated({ $0.isStateTaken }) {
          throw SceneError(
            .notDurable, session: scene.persistentIdentifier,
            "the change was made, and the state that it led to is not kept")
        }
      } else {
        if let unread, update.use == .needed { throw unread }
        try change(update, slot)
      }
    } catch {
      return update.fail(error)
    }
    if let durable = update.durable {
      batch.awaiting.append(.ticket(durable, of: core.directory.identifier(handle(slot))))
    }
    update.ticket?.answer(.success(core.directory.session(handle(slot))))
  }

  /// Changes what a session without a scene holds.
  private func change(_ update: SessionUpdate, _ slot: Int32) throws(SceneError) {
    if update.durable != nil, !mailbox.state.withLock({ $0.entries[Int(slot)].isVisible }) {
      throw SceneError(
        .sessionNotOpen, session: core.directory.identifier(handle(slot)),
        "the session has not opened yet, so that nothing of it is kept")
    }
    var session = core.directory.session(handle(slot))
    let before = session.details
    try update.change(&session)
    var parts = session.details.differences(from: before)
    if update.use == .dropped { parts.insert(.state) }
    let storable = core.rules.storable(session.details)
    let sealed =
      parts.contains(.state)
      ? try sealer.seal(storable.state, of: session.persistentIdentifier) : nil
    show(session.details, slot, isStateHere: update.use == .dropped)
    let (isOpen, isUnsaved) = mailbox.state.withLock { state in
      let entry = state.entries[Int(slot)]
      // A session without a row has nothing in the store that could change: its first scene brings
      // both.
      if !entry.isVisible, sealed != nil { state.entries[Int(slot)].isStateUnsaved = true }
      return (entry.isVisible, entry.isStateUnsaved)
    }
    guard isOpen else { return }
    var changes = SceneChanges(session.details)
    // What cannot be opened may be kept with a row that is not what was written.
    changes.isRowChanged = parts.contains(.row) || update.use == .dropped
    changes.sealed = sealed
    record(changes, session.persistentIdentifier, slot)
    // What could not be sealed before is in memory only, unless it was sealed now.
    let isSealed = sealed != nil || !isUnsaved
    leaveState(slot, isKept: isSealed && storable.isIdentical(to: session.details))
  }

  /// Lets a scene go on with the result of its own work; one that is gone does not.
  func resume(_ resumed: ResumedScene, _ slot: Int32) {
    guard let scene = scene(slot), scene === resumed.scene.object else { return }
    let changes = scene.assumeIsolated { scene in
      scene.visit { $0.resume(resumed.token, with: resumed.result) }
    }
    record(changes, of: scene)
  }

  /// Takes what was set from outside a callback.
  func visit(_ slot: Int32) {
    guard let scene = scene(slot) else { return }
    record(scene.assumeIsolated { scene in scene.visit { _ in } }, of: scene)
  }

  // MARK: - Making changes known

  /// Makes changed details visible: to readers and to routing.
  ///
  /// - Parameters:
  ///   - details: The details.
  ///   - slot: The session's slot.
  ///   - isStateHere: Whether the details have the saved state, which the store may have as well.
  nonisolated func show(_ details: SessionDetails, _ slot: Int32, isStateHere: Bool = false) {
    let before = mailbox.state.withLock { state in
      let before = state.entries[Int(slot)].details
      state.entries[Int(slot)].details = details
      if isStateHere { state.entries[Int(slot)].isStateStored = false }
      return before
    }
    if details.isIdentical(exceptForState: before) { return }
    // An unlock schedules what was due meanwhile.
    if details.nextWake != before.nextWake || details.isLocked != before.isLocked {
      core.wakes.set(handle(slot), details.nextWake)
    }
    guard details.activationConditions != before.activationConditions else { return }
    core.router.setConditions(handle(slot), details.activationConditions)
    core.noteResidualPredicates()
  }

  /// Makes a scene's new state known, and counts the scene.
  ///
  /// - Returns: How the application's state changed by it.
  @inline(__always)
  func note(_ transition: Scene.Transition, of scene: Scene) -> ApplicationTally.Change? {
    let (old, new) = (transition.old, transition.new)
    report(scene.persistentIdentifier, .transition(from: old, to: new), on: .states)
    if old == .unattached { mailbox.tally.connect(1) }
    if new == .unattached { mailbox.tally.connect(-1) }
    return transition.isCounted ? mailbox.tally.move(from: old, to: new, core.tally.value) : nil
  }

  /// Reports what UIKit posts about the application.
  @inline(__always)
  nonisolated func announce(_ change: ApplicationTally.Change?) {
    guard let change, isHeard(.states), let notification = change.notification else { return }
    core.events.report(nil, .applicationNotification(notification), on: .states)
  }

  /// Whether somebody listens to a topic of lifecycle events.
  ///
  /// A look of its own: nearly always nobody does, and no reference to what all shards share is
  /// counted for it.
  @inline(__always)
  nonisolated func isHeard(_ topic: LifecycleEvent.Topics) -> Bool { core.events.isHeard(topic) }

  /// Reports a lifecycle event if somebody listens.
  @inline(__always)
  nonisolated func report(
    _ identifier: SessionIdentifier, _ kind: @autoclosure () -> LifecycleEvent.Kind,
    on topic: LifecycleEvent.Topics = .lives
  ) {
    if isHeard(topic) { core.events.report(identifier, kind(), on: topic) }
  }
}
