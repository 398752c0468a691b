// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A plan that its shard carries out: it brings a session to a goal, alone or together with the one
/// that gives way to it.
struct PlanRun {
  let plan: Plan
  let slot: Int32
  /// What the plan was held up with, if it goes on.
  let held: HeldPlan?

  init(_ plan: Plan, _ slot: Int32, _ held: HeldPlan? = nil) {
    self.plan = plan
    self.slot = slot
    self.held = held
  }

  private var isContinued: Bool { held != nil }

  /// Carries the plan out, or what is left of it after it was held up.
  func carryOut(in shard: isolated Shard) {
    if plan.isRepeated, isObsolete(in: shard) { return finishWithoutScene(in: shard) }
    if shard.carriedOut[slot] != nil { shard.carriedOut.note(plan.decisions, slot) }
    if !isContinued, let routing = plan.routing { report(routing, in: shard) }
    if case .failure(let error)? = plan.question?.given {
      failConfiguration(error, in: shard)
    } else if plan.goal == .destroyed {
      destroy(in: shard)
    } else {
      if !isContinued { configure(in: shard) }
      if advance(in: shard) { return }
    }
    shard.countFinished(plan)
  }

  /// Whether the plan was to bring a session back that was given up since.
  private func isObsolete(in shard: isolated Shard) -> Bool {
    guard let done = shard.carriedOut[slot] ?? shard.scenes[slot]?.decisions else { return false }
    return done.isLater(than: plan.decisions)
  }

  /// Takes the configuration that the application delegate chose, whatever becomes of the plan,
  /// since it is not asked again.
  private func configure(in shard: isolated Shard) {
    let core = shard.core
    guard let question = plan.question else {
      if plan.isFirst { checkConfiguration(in: shard) }
      return
    }
    guard let chosen = try? question.given?.get(), let index = try? core.catalog.index(of: chosen)
    else { return }
    let entry = shard.mailbox.state.withLock { state in
      state.entries[Int(slot)].configuration = index
      state.entries[Int(slot)].flags[.isUnresolvable] = !core.catalog.isResolvable(index)
      return state.entries[Int(slot)]
    }
    if !plan.isFirst {
      shard.scenes.append(.update(shard.scenes.row(slot, entry.details)), entry.identifier)
    }
  }

  /// R-CFG-3: a manifest without an entry for a new session, or one whose class is not registered.
  private func checkConfiguration(in shard: isolated Shard) {
    let catalog = shard.core.catalog
    let entry = shard.mailbox.state.withLock { $0.entries[Int(slot)] }
    let configuration = catalog.configuration(entry.configuration)
    guard catalog.manifest.isUnknown(configuration) else { return }
    shard.core.diagnose(.configurationNotFound(name: configuration.name), entry.identifier)
  }

  /// Reports where an event went, before anything of its delivery can be seen.
  private func report(_ routing: RoutingDecision, in shard: isolated Shard) {
    shard.core.events.report(routing.session, .routed(routing), on: .routing)
    if routing.rule == .forced { shard.core.diagnose(.forcedRoute, routing.session) }
  }

  /// Brings the plan on; returns whether it is held up.
  private func advance(in shard: isolated Shard) -> Bool {
    if let partner = plan.partner, partner.session.kind == .victim {
      return handOver(from: partner, in: shard)
    }
    if plan.leavesForeground { shard.scenes.bring(slot, to: .background) }
    guard let hold = bring(in: shard) else { return false }
    park(hold, hasCredit: false, in: shard)
    return true
  }

  /// R-SW-1: the victim resigns, the newcomer comes to the front, the victim goes to the
  /// background.
  private func handOver(from partner: Plan.Partner, in shard: isolated Shard) -> Bool {
    let scenes = shard.scenes
    guard shard.mailbox.isAlive(slot) else {
      // The newcomer's first connection failed. Its place was given away then, so that the victim
      // has none to keep.
      finishWithoutScene(in: shard)
      scenes.bring(partner.slot, to: .background)
      return false
    }
    if scenes[slot] == nil, !plan.isFirst {
      // Before the victim resigns: a newcomer that cannot come disturbs nothing.
      do throws(SceneError) {
        try shard.requireState(slot)
      } catch {
        failRestoration(error, in: shard)
        return false
      }
    }
    // R-AGG-1: an application that is active stays so while two active scenes change places.
    var hasCredit = held?.hasCredit ?? false
    if scenes[partner.slot]?.activationState == .foregroundActive, plan.activation > 0 {
      scenes.announce(shard.mailbox.tally.credit(1, shard.core.tally.value))
      hasCredit = true
    }
    scenes.bring(partner.slot, to: .inactive)
    let hold = bring(in: shard)
    if hold == nil { scenes.bring(partner.slot, to: .background) }
    // A restoration can take long: until it is over the application is not active.
    if hasCredit, hold != .application {
      scenes.announce(shard.mailbox.tally.credit(-1, shard.core.tally.value))
      hasCredit = false
    }
    if let hold { park(hold, hasCredit: hasCredit, in: shard) }
    return hold != nil
  }

  /// Brings one session to its goal, connecting a scene if it needs one.
  @discardableResult
  func bring(in shard: isolated Shard) -> SceneHold? {
    if plan.goal == .refreshed, !takeRefresh(in: shard) {
      if shard.scenes[slot] == nil { shard.carriedOut.note(plan.decisions, slot) }
      finishWithoutScene(in: shard)
      return nil
    }
    var connected = shard.scenes[slot]
    do throws(SceneError) {
      if connected == nil { connected = try connect(in: shard) }
    } catch {
      failRestoration(error, in: shard)
      return nil
    }
    // As a message does: a restoration that took too long may have cost the session its scene.
    if connected == nil, case .wake? = plan.delivery { connected = shard.reconnect(slot) }
    guard let scene = connected else {
      finishWithoutScene(in: shard)
      return nil
    }
    let progress = shard.scenes.bring(
      scene, to: plan.goal, plan.delivery, isContinued: isContinued)
    if shard.core.isAbandoned {
      plan.fail(SceneError.notRunning)
      return nil
    }
    return finish(progress, of: scene, in: shard)
  }

  /// Notes what a scene's way has come to; returns what holds the plan up.
  private func finish(
    _ progress: SceneProgress, of scene: Scene, in shard: isolated Shard
  ) -> SceneHold? {
    let opens = plan.isFirst && !isContinued
    if opens { open(lastActivated: progress.hold == nil ? plan.activation : 0, in: shard) }
    if var changes = progress.changes {
      if opens { changes.isRowChanged = false }
      shard.scenes.record(changes, of: scene)
    }
    if let hold = progress.hold {
      if hold == .restoration {
        shard.core.gate.withLock { $0.withdrawActivation(of: shard.handle(slot), plan) }
      }
      return hold
    }
    if plan.activation > 0, !opens { noteActivation(of: scene, in: shard) }
    if plan.goal == .disconnected { shard.release(slot, plan.reason, isKept: progress.isKept) }
    // Looked up first: what the session is made of would otherwise be this run, with its plan.
    let (directory, handle) = (shard.core.directory, shard.handle(slot))
    plan.succeed(directory.session(handle))
    return nil
  }

  /// Notes when a session became active: as it was admitted, or after it was held up.
  private func noteActivation(of scene: Scene, in shard: isolated Shard) {
    let activation =
      isContinued
      ? shard.core.gate.withLock { $0.renewActivation(of: shard.handle(slot)) } : plan.activation
    shard.scenes.append(.activate(lastActivated: activation), scene.persistentIdentifier)
  }

  /// Keeps what is left of the plan in front of its lanes until it can go on.
  private func park(_ hold: SceneHold, hasCredit: Bool, in shard: isolated Shard) {
    guard hold == .application, let scene = shard.scenes[slot],
      case .event(.notification(let response))? = plan.delivery
    else {
      shard.lanes.park(ShardItem(slot: slot, work: .rest(HeldPlan(plan))))
      if shard.isEnding { shard.mailbox.post(ShardItem(slot: slot, work: .abandonRestorations)) }
      return
    }
    let handshake = Handshake<Void>()
    _ = handshake.answerOrPark()
    let held = HeldPlan(plan, handshake: handshake, hasCredit: hasCredit)
    shard.lanes.park(ShardItem(slot: slot, work: .rest(held)))
    shard.core.applicationQueue.post([.respond(response, scene, shard.handle(slot), handshake)])
  }

  // MARK: - Connections

  /// Takes up a refresh; false if it was dropped since, whether or not there is another one
  /// (R-RF-6).
  private func takeRefresh(in shard: isolated Shard) -> Bool {
    shard.mailbox.state.withLock { $0.entries[Int(slot)].takePendingRefresh(plan: plan.decisions) }
  }

  /// Makes the scene that the plan needs; nil if it needs none or the session is gone.
  ///
  /// - Throws: `stateUnreadable` if there is a saved state and it cannot be opened, or
  ///   `stateUnavailable`; while protected data is locked the scene connects without it (R-SR-6).
  private func connect(in shard: isolated Shard) throws(SceneError) -> Scene? {
    guard let context = shard.scenes.context, plan.goal.connects else { return nil }
    if !plan.isFirst { try shard.requireState(slot) }
    let entry = shard.mailbox.state.withLock { state in
      let isDead = state.entries[Int(slot)].flags[.isDead]
      if !isDead { state.setVisible(true, Int(slot)) }
      return isDead ? nil : state.entries[Int(slot)]
    }
    guard let entry else { return nil }
    let isStored = entry.flags[.isStateStored]
    let scene = Scene(
      entry.identifier, shard.core.catalog.configuration(entry.configuration), entry.details,
      context: context, slot: slot, decisions: plan.decisions,
      isStateUnsaved: entry.flags[.isStateUnsaved], isStateWithheld: isStored)
    shard.setScene(scene, slot)
    if isStored { shard.reads.withheld.insert(slot) }
    if !plan.isFirst, plan.question == nil, shard.asksConfiguration {
      shard.core.diagnose(.configurationSkipped, entry.identifier)
    }
    shard.scenes.report(entry.identifier, .connected(isNew: plan.isFirst))
    return scene
  }

  /// Writes the row of a new session, with everything that its first plan gave it.
  private func open(lastActivated: UInt64, in shard: isolated Shard) {
    let entry = shard.mailbox.state.withLock { $0.entries[Int(slot)] }
    let row = shard.scenes.row(slot, entry.details, lastActivated: lastActivated)
    shard.scenes.append(.insert(row), entry.identifier)
  }

  /// Ends a plan for a session that has no scene and needs none, or whose connection failed.
  private func finishWithoutScene(in shard: isolated Shard) {
    shard.scenes.lose(plan.delivery?.loss, slot)
    guard shard.mailbox.isAlive(slot) else {
      return plan.fail(.connectionFailed(shard.core.directory.identifier(shard.handle(slot))))
    }
    if case .wake? = plan.delivery {
      // It comes again, and connects the session that has lost its scene.
      let next = shard.mailbox.state.withLock { $0.entries[Int(slot)].details.nextWake }
      shard.core.wakes.set(shard.handle(slot), next)
    }
    plan.succeed(shard.core.directory.session(shard.handle(slot)))
  }

  // MARK: - Ends

  /// SEQ-DESTROY up to the disconnect; the discard follows on the application actor, if it has a
  /// delegate to tell.
  private func destroy(in shard: isolated Shard) {
    let (core, handle) = (shard.core, shard.handle(slot))
    shard.carriedOut.forget(slot)
    guard shard.mailbox.isAlive(slot) else {
      if plan.endsApplication { core.leave() }
      return plan.fail(.connectionFailed(shard.core.directory.identifier(shard.handle(slot))))
    }
    // Before the session is hidden, and with what is written below.
    ExpiryRun.noteNewUses(of: plan.reason == .handedOver ? slot : nil, in: shard)
    if let scene = shard.scenes[slot] {
      let progress = shard.scenes.bring(scene, to: .destroyed)
      shard.scenes.record(progress.changes, of: scene)
      shard.pressure?.didDiscard(slot)
      shard.release(slot, plan.reason, isKept: progress.isKept)
    }
    if plan.endsApplication {
      plan.succeed(core.directory.session(handle))
      return core.leave()
    }
    // Another session can get the slot before the store answers.
    let session = core.directory.identifier(handle)
    let isOver = SceneError(
      .sessionNotOpen, session: session,
      "the session was closed before its saved state was there")
    for update in shard.reads.giveUp(slot) { update.fail(isOver) }
    if plan.reason.isDeparture {
      shard.lines.depart(slot, of: session, endsHere: plan.reason == .fenced)
    } else {
      shard.lines.end(slot, of: session, .sessionEnded)
    }
    shard.mailbox.state.withLock { $0.setVisible(false, Int(slot)) }
    // The discard removes the session's row, so that what changed before has to be written before.
    shard.scenes.writeChanges()
    let discard = Discard(
      session: core.directory.session(handle), handle: handle, reason: plan.reason, plan: plan)
    if core.rules.hasApplicationDelegate, !plan.reason.isDeparture {
      core.applicationQueue.post([.discard(discard)])
    } else {
      core.finish(discard)
    }
  }

  /// R-CFG-4: the session never opened.
  ///
  /// Who was to give way stays, if that is still possible.
  private func failConfiguration(_ error: SceneError, in shard: isolated Shard) {
    let (core, handle) = (shard.core, shard.handle(slot))
    // One whose restoration took too long has nothing to keep.
    let isVictimThere = plan.partner.flatMap { shard.scenes[$0.slot] }?.isInForeground ?? false
    let victimLeaves = core.gate.withLock { gate in
      let leaves = gate.ledger.fail(
        handle, decisions: plan.decisions, partner: plan.partner?.session,
        isVictimThere: isVictimThere)
      if let victim = plan.partner?.session, !leaves { gate.rank(victim.handle) }
      let identifier = shard.mailbox.bury(slot)
      core.router.remove(handle)
      gate.pendingRefreshes.drop(handle, gate.directory)
      gate.record(.failed(identifier, victimLeaves: leaves))
      return leaves
    }
    shard.scenes.lose(plan.delivery?.loss, slot)
    shard.scenes.report(error.session ?? core.directory.identifier(handle), .failed(error))
    plan.fail(error)
    if victimLeaves, let partner = plan.partner {
      shard.scenes.bring(partner.slot, to: .background)
    }
    shard.mailbox.post(ShardItem(slot: slot, work: .bury))
  }

  /// The session's saved state cannot be read: it is not connected, and what wanted it fails.
  ///
  /// Who was to give way stays, if that is still possible (R-SW-1).
  private func failRestoration(_ error: SceneError, in shard: isolated Shard) {
    let (core, handle) = (shard.core, shard.handle(slot))
    let isVictimThere = plan.partner.flatMap { shard.scenes[$0.slot] }?.isInForeground ?? false
    let (victimLeaves, (done, sleeper)) = core.gate.withLock { gate in
      let leaves = gate.ledger.returnPlace(
        of: handle, decisions: plan.decisions, partner: plan.partner?.session,
        isVictimThere: isVictimThere)
      if let victim = plan.partner?.session, !leaves { gate.rank(victim.handle) }
      return (leaves, gate.expire(handle, decisions: plan.decisions))
    }
    if victimLeaves, let partner = plan.partner {
      shard.scenes.bring(partner.slot, to: .background)
    }
    shard.carriedOut.note(done, slot)
    shard.scenes.report(core.directory.identifier(handle), .failed(error))
    shard.scenes.lose(plan.delivery?.loss, slot)
    plan.fail(error)
    sleeper?.wake()
  }
}

extension Scene {
  fileprivate nonisolated var isInForeground: Bool {
    activationState == .foregroundActive || activationState == .foregroundInactive
  }
}
