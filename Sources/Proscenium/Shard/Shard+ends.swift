// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Ends: of a session, of one that never opened, and of a restoration that takes too long.
extension Shard {
  /// SEQ-DESTROY up to the disconnect; the discard follows on the application actor, if it has a
  /// delegate to tell.
  func destroy(_ plan: Plan, _ slot: Int32) {
    carriedOut[slot] = nil
    guard isAlive(slot) else {
      if plan.endsApplication { core.leave() }
      plan.fail(connectionFailed(slot))
      return
    }
    if let scene = scene(slot) {
      let progress = bring(scene, to: .destroyed)
      record(progress.changes, of: scene)
      pressure?.didDiscard(slot)
      release(slot, plan.reason, isKept: progress.isKept)
    }
    if plan.endsApplication {
      plan.succeed(core.directory.session(handle(slot)))
      core.leave()
      return
    }
    // Another session can get the slot before the store answers.
    for update in reads.giveUp(slot) { update.fail(isOver(slot)) }
    mailbox.state.withLock { $0.setVisible(false, Int(slot)) }
    // The discard removes the session's row, so that what changed before has to be written before.
    writeChanges()
    let discard = Discard(
      session: core.directory.session(handle(slot)), handle: handle(slot), reason: plan.reason,
      plan: plan)
    if core.hasApplicationDelegate {
      core.applicationQueue.post([.discard(discard)])
    } else {
      core.finish(discard)
    }
  }

  private func isOver(_ slot: Int32) -> SceneError {
    SceneError(
      .sessionNotOpen, session: core.directory.identifier(handle(slot)),
      "the session was closed before its saved state was there")
  }

  /// R-CFG-4: the session never opened.
  ///
  /// Who was to give way stays, if that is still possible.
  func failConfiguration(of plan: Plan, _ slot: Int32, _ error: SceneError) {
    // One whose restoration took too long has nothing to keep.
    let isVictimThere = plan.partner.flatMap { scene($0.slot) }?.isInForeground ?? false
    let victimLeaves = core.gate.withLock { gate in
      let leaves = gate.ledger.fail(
        handle(slot), decisions: plan.decisions, partner: plan.partner?.session,
        isVictimThere: isVictimThere)
      if let victim = plan.partner?.session, !leaves { gate.rank(victim.handle) }
      let identifier = mailbox.bury(slot)
      core.router.remove(handle(slot))
      gate.forgetRefresh(handle(slot))
      gate.record(.failed(identifier, victimLeaves: leaves))
      return leaves
    }
    if let loss = plan.delivery?.loss { lose(loss, slot) }
    report(error.session ?? core.directory.identifier(handle(slot)), .failed(error))
    plan.fail(error)
    if victimLeaves, let partner = plan.partner { leave(partner.slot) }
    mailbox.post(ShardItem(slot: slot, work: .bury))
  }

  // MARK: - Extended restorations (R-EXT-1)

  /// The time is over: the scene is disconnected, and what it could not restore is dropped.
  func expire(_ expired: WeakReference, _ slot: Int32) {
    guard let scene = scene(slot), scene === expired.object, scene.isRestoring else { return }
    let held = lanes.takeHeld(slot)
    removeRepeatedPlans(slot)
    let decided = held?.plan?.decisions ?? scene.decisions
    let (done, sleeper) = core.gate.withLock {
      $0.expire(handle(slot), decisions: decided)
    }
    let error = SceneError(
      .restorationTimedOut, session: scene.persistentIdentifier,
      "the restoration was extended and not completed within "
        + "\(core.settings.restorationLimit), so that the scene is disconnected")
    report(scene.persistentIdentifier, .failed(error))
    if let plan = held?.plan {
      finish(plan)
      plan.fail(error)
    }
    record(scene.assumeIsolated { $0.dropRestoration() }, of: scene)
    let end = bring(scene, to: .disconnected)
    record(end.changes, of: scene)
    release(slot, .restorationTimedOut, isKept: end.isKept)
    noteCarriedOut(done, slot)
    if let partner = held?.partner, partner.session.kind == .victim { leave(partner.slot) }
    sleeper?.wake()
  }

  /// Takes out what was to bring the session back after its last scene took too long: what is
  /// decided now counts.
  private func removeRepeatedPlans(_ slot: Int32) {
    lanes.removeRepeatedPlans(slot)
    mailbox.state.withLock { state in
      state.incoming.removeAll { $0.slot == slot && $0.plan?.isRepeated == true }
    }
  }

  /// The session's saved state cannot be read: it is not connected, and what wanted it fails.
  ///
  /// Who was to give way stays, if that is still possible (R-SW-1).
  func failRestoration(_ plan: Plan, _ slot: Int32, _ error: SceneError) {
    let isVictimThere = plan.partner.flatMap { scene($0.slot) }?.isInForeground ?? false
    let (victimLeaves, (done, sleeper)) = core.gate.withLock { gate in
      let leaves = gate.ledger.returnPlace(
        of: handle(slot), decisions: plan.decisions, partner: plan.partner?.session,
        isVictimThere: isVictimThere)
      if let victim = plan.partner?.session, !leaves { gate.rank(victim.handle) }
      return (leaves, gate.expire(handle(slot), decisions: plan.decisions))
    }
    if victimLeaves, let partner = plan.partner { leave(partner.slot) }
    noteCarriedOut(done, slot)
    report(core.directory.identifier(handle(slot)), .failed(error))
    if let loss = plan.delivery?.loss { lose(loss, slot) }
    plan.fail(error)
    sleeper?.wake()
  }

  /// The application ends: what waits for a restoration does not come to the foreground any more.
  func abandonRestorations() {
    isEnding = true
    for slot in lanes.held {
      // It stays extended, so that nothing that waits behind brings the scene forward either.
      guard let scene = scene(slot), scene.isRestoring, let held = lanes.takeHeld(slot)
      else { continue }
      if let plan = held.plan {
        finish(plan)
        plan.fail(SceneError.notRunning)
      }
      if let partner = held.partner, partner.session.kind == .victim { leave(partner.slot) }
    }
  }
}

extension Scene {
  fileprivate nonisolated var isInForeground: Bool {
    activationState == .foregroundActive || activationState == .foregroundInactive
  }

  /// Drops the saved activity, since the scene could not restore it.
  ///
  /// One that is withheld (R-SR-6) is not what the scene could not restore, and stays.
  fileprivate func dropRestoration() -> SceneChanges? {
    visit { scene in
      scene.lifecycle.abandonRestoration()
      scene.showState()
      scene.lifecycle.owesCapture = false
      scene.marks[.isDirty] = false
      if !scene.details.isLocked { scene.change { $0.stateRestorationActivity = nil } }
    }
  }
}
