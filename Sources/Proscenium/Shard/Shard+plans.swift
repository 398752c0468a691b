// SPDX-License-Identifier: Apache-2.0

// Plans: they bring a session to a goal, alone or together with the one that gives way to it.
extension Shard {
  func carryOut(_ plan: Plan, _ slot: Int32) async {
    if case .failure(let error)? = plan.question?.given {
      await failConfiguration(of: plan, slot, error)
    } else if plan.goal == .destroyed {
      await destroy(plan, slot)
    } else if let partner = plan.partner, partner.session.kind == .victim {
      await handOver(plan, slot, from: partner)
    } else {
      await advance(plan, slot)
    }
    if plan.isNewWork { finishedWork += 1 }
  }

  /// R-SW-1: the victim resigns, the newcomer comes to the front, the victim goes to the
  /// background.
  private func handOver(_ plan: Plan, _ slot: Int32, from partner: Plan.Partner) async {
    guard isAlive(slot) else {
      // The newcomer's first connection failed. Its place was given away then, so that the victim
      // has none to keep.
      finishWithoutScene(plan, slot)
      await leave(partner.slot)
      return
    }
    let victim = scene(partner.slot)
    // R-AGG-1: an application that is active stays so while the two change places.
    let credit = victim?.activationState == .foregroundActive ? 1 : 0
    mailbox.tally.credit(credit, core.tally)
    if let details = await victim?.perform(.inactive) { publish(details, partner.slot) }
    await advance(plan, slot)
    if let details = await victim?.perform(.background) { publish(details, partner.slot) }
    mailbox.tally.credit(-credit, core.tally)
  }

  private func leave(_ slot: Int32) async {
    if let details = await scene(slot)?.perform(.background) { publish(details, slot) }
  }

  /// Brings one session to its goal, connecting a scene if it needs one.
  private func advance(_ plan: Plan, _ slot: Int32) async {
    guard let scene = scene(slot) ?? connect(plan, slot) else {
      finishWithoutScene(plan, slot)
      return
    }
    if plan.goal == .refreshed { beginRefresh(slot) }
    let details = await scene.perform(plan.goal, event: plan.event)
    if plan.goal == .disconnected { release(slot, plan.reason) }
    finish(plan, slot, details)
  }

  private func isAlive(_ slot: Int32) -> Bool {
    mailbox.state.withLock { !$0.entries[Int(slot)].isDead }
  }

  private func connectionFailed(_ slot: Int32) -> SceneError {
    SceneError(
      .requestDenied, session: mailbox.state.withLock { $0.entries[Int(slot)].identifier },
      "the session's first connection failed, so that it never opened")
  }

  /// Makes the scene that a plan needs; nil if the plan needs none or the session is gone.
  private func connect(_ plan: Plan, _ slot: Int32) -> Scene? {
    guard let application, plan.goal.connects else { return nil }
    let chosen = try? plan.question?.given?.get()
    let index = chosen.flatMap { try? core.catalog.index(of: $0) }
    let opened: ShardMailbox.Entry? = mailbox.state.withLock { state in
      guard !state.entries[Int(slot)].isDead else { return nil }
      if let index { state.entries[Int(slot)].configuration = index }
      state.entries[Int(slot)].isVisible = true
      return state.entries[Int(slot)]
    }
    guard let entry = opened else { return nil }
    let scene = Scene(
      application: application, shard: self, slot: slot, identifier: entry.identifier,
      configuration: entry.configuration,
      becomesActive: core.catalog.configuration(entry.configuration).role.becomesActive,
      details: entry.details)
    setScene(scene, slot)
    report(scene.persistentIdentifier, .connected(isNew: plan.isFirst))
    return scene
  }

  private func beginRefresh(_ slot: Int32) {
    mailbox.state.withLock { $0.entries[Int(slot)].isRefreshQueued = false }
  }

  /// Lets go of a scene that has disconnected.
  private func release(_ slot: Int32, _ reason: LifecycleEvent.Reason) {
    guard let scene = scene(slot) else { return }
    setScene(nil, slot)
    report(scene.persistentIdentifier, .disconnected(reason))
  }

  private func finish(_ plan: Plan, _ slot: Int32, _ details: SessionDetails?) {
    if plan.isFirst {
      open(plan, slot, details)
    } else {
      if let details { publish(details, slot) }
      if let activation = plan.activation {
        changes.append(
          SessionChange(session: core.identifier(handle(slot)), kind: .activate(activation)))
      }
    }
    plan.succeed(core.session(handle(slot)))
  }

  /// Writes the row of a new session, with everything that its first plan gave it.
  private func open(_ plan: Plan, _ slot: Int32, _ details: SessionDetails?) {
    let entry = mailbox.state.withLock { state in
      if let details { state.entries[Int(slot)].details = details }
      return state.entries[Int(slot)]
    }
    if let details {
      core.router.setConditions(handle(slot), details.activationConditions)
      core.noteResidualPredicates()
    }
    changes.append(
      SessionChange(
        session: entry.identifier,
        kind: .insert(
          configuration: core.catalog.configuration(entry.configuration),
          lastActivated: plan.activation ?? 0, entry.details)))
  }

  /// A plan for a session that has no scene and needs none, or whose connection failed.
  private func finishWithoutScene(_ plan: Plan, _ slot: Int32) {
    if isAlive(slot) {
      plan.succeed(core.session(handle(slot)))
    } else {
      if let event = plan.event { lose(.event(event), slot) }
      plan.fail(connectionFailed(slot))
    }
  }

  // MARK: - Ends

  /// SEQ-DESTROY up to the disconnect; the discard follows on the application actor, if it has a
  /// delegate to tell.
  private func destroy(_ plan: Plan, _ slot: Int32) async {
    guard isAlive(slot) else {
      plan.fail(connectionFailed(slot))
      return
    }
    if let scene = scene(slot) {
      if let details = await scene.perform(.destroyed) { publish(details, slot) }
      release(slot, plan.reason)
    }
    let session = mailbox.state.withLock { state in
      state.entries[Int(slot)].isVisible = false
      return state.entries[Int(slot)]
    }
    // The discard removes the session's row, so that what changed before has to be written before.
    writeChanges()
    let discard = Discard(
      session: core.session(session), handle: handle(slot), reason: plan.reason, plan: plan)
    if core.hasApplicationDelegate {
      core.applicationQueue.post([.discard(discard)])
    } else {
      core.finish(discard)
    }
  }

  /// R-CFG-4: the session never opened.
  ///
  /// Who was to give way stays, if that is still possible.
  private func failConfiguration(of plan: Plan, _ slot: Int32, _ error: SceneError) async {
    let victimLeaves = core.gate.withLock { gate in
      let leaves = gate.ledger.fail(
        handle(slot), decisions: plan.decisions, partner: plan.partner?.session)
      if let victim = plan.partner?.session, !leaves { core.stand(victim.handle, gate) }
      let identifier = mailbox.bury(slot)
      core.close(identifier, handle(slot))
      gate.record(.failed(identifier, victimLeaves: leaves))
      return leaves
    }
    plan.fail(error)
    if let event = plan.event { lose(.event(event), slot) }
    report(error.session ?? core.identifier(handle(slot)), .failed(error))
    if victimLeaves, let partner = plan.partner { await leave(partner.slot) }
    mailbox.post(ShardItem(slot: slot, work: .bury))
  }
}
