// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Plans: they bring a session to a goal, alone or together with the one that gives way to it.
extension Shard {
  /// Carries a plan out, or what is left of it after it was held up.
  func carryOut(_ plan: Plan, _ slot: Int32, _ rest: HeldPlan?) {
    if plan.isRepeated, isObsolete(plan, slot) { return finishWithoutScene(plan, slot) }
    if carriedOut[slot] != nil { noteCarriedOut(plan.decisions, slot) }
    if rest == nil, let routing = plan.routing { report(routing) }
    if case .failure(let error)? = plan.question?.given {
      failConfiguration(of: plan, slot, error)
    } else if plan.goal == .destroyed {
      destroy(plan, slot)
    } else {
      if rest == nil { configure(plan, slot) }
      if advance(plan, slot, rest) { return }
    }
    finish(plan)
  }

  /// Notes how many decisions are carried out about a session without a scene.
  ///
  /// It never goes back: a time-out counts before what was queued in front of it.
  func noteCarriedOut(_ decisions: UInt32, _ slot: Int32) {
    if let done = carriedOut[slot], !decisions.isLater(than: done) { return }
    carriedOut[slot] = decisions
  }

  /// Whether a plan was to bring a session back that was given up since.
  private func isObsolete(_ plan: Plan, _ slot: Int32) -> Bool {
    guard let done = carriedOut[slot] ?? scene(slot)?.decisions else { return false }
    return done.isLater(than: plan.decisions)
  }

  /// Counts a plan that needs nothing more.
  func finish(_ plan: Plan) {
    if plan.isNewWork { finishedWork += 1 }
    if plan.isReconnection { finishedReconnections += 1 }
  }

  /// Takes the configuration that the application delegate chose, whatever becomes of the plan,
  /// since it is not asked again.
  private func configure(_ plan: Plan, _ slot: Int32) {
    guard let question = plan.question else {
      if plan.isFirst { checkConfiguration(slot) }
      return
    }
    guard let chosen = try? question.given?.get(), let index = try? core.catalog.index(of: chosen)
    else { return }
    let identifier = mailbox.state.withLock { state in
      state.entries[Int(slot)].configuration = index
      state.entries[Int(slot)].isUnresolvable = !core.catalog.isResolvable(index)
      return state.entries[Int(slot)].identifier
    }
    if !plan.isFirst {
      let details = mailbox.state.withLock { $0.entries[Int(slot)].details }
      append(.update(row(slot, details, lastActivated: 0)), identifier)
    }
  }

  /// R-CFG-3: a manifest without an entry for a new session, or one whose class nobody registered.
  private func checkConfiguration(_ slot: Int32) {
    let unknown = mailbox.state.withLock { state -> (name: String?, of: SessionIdentifier)? in
      let entry = state.entries[Int(slot)]
      let configuration = core.catalog.configuration(entry.configuration)
      guard core.catalog.manifest.isUnknown(configuration) else { return nil }
      return (configuration.name, entry.identifier)
    }
    guard let unknown else { return }
    core.diagnose(.configurationNotFound(name: unknown.name), unknown.of)
  }

  /// Reports where an event went, before anything of its delivery can be seen.
  private func report(_ routing: RoutingDecision) {
    core.events.report(routing.session, .routed(routing), on: .routing)
    if routing.rule == .forced { core.diagnose(.forcedRoute, routing.session) }
  }

  /// Brings a plan on; returns whether it is held up.
  private func advance(_ plan: Plan, _ slot: Int32, _ rest: HeldPlan?) -> Bool {
    if let partner = plan.partner, partner.session.kind == .victim {
      return handOver(plan, slot, from: partner, rest)
    }
    if plan.leavesForeground { leave(slot) }
    guard let hold = bring(plan, slot, isContinued: rest != nil) else { return false }
    park(plan, slot, hold, hasCredit: false)
    return true
  }

  /// R-SW-1: the victim resigns, the newcomer comes to the front, the victim goes to the
  /// background.
  private func handOver(
    _ plan: Plan, _ slot: Int32, from partner: Plan.Partner, _ rest: HeldPlan?
  ) -> Bool {
    guard isAlive(slot) else {
      // The newcomer's first connection failed. Its place was given away then, so that the victim
      // has none to keep.
      finishWithoutScene(plan, slot)
      leave(partner.slot)
      return false
    }
    if scene(slot) == nil, !plan.isFirst {
      // Before the victim resigns: a newcomer that cannot come disturbs nobody.
      do throws(SceneError) {
        try requireState(slot)
      } catch {
        failRestoration(plan, slot, error)
        return false
      }
    }
    let victim = scene(partner.slot)
    // R-AGG-1: an application that is active stays so while two active scenes change places.
    var hasCredit = rest?.hasCredit ?? false
    if victim?.activationState == .foregroundActive, plan.activation > 0 {
      announce(mailbox.tally.credit(1, core.tally.value))
      hasCredit = true
    }
    perform(.inactive, victim)
    let hold = bring(plan, slot, isContinued: rest != nil)
    if hold == nil { perform(.background, victim) }
    // Nobody knows how long a restoration takes: meanwhile the application is not active.
    if hasCredit, hold != .application {
      announce(mailbox.tally.credit(-1, core.tally.value))
      hasCredit = false
    }
    if let hold { park(plan, slot, hold, hasCredit: hasCredit) }
    return hold != nil
  }

  func leave(_ slot: Int32) {
    perform(.background, scene(slot))
  }

  private func perform(_ goal: SceneLifecycle.Goal, _ scene: Scene?) {
    guard let scene else { return }
    record(bring(scene, to: goal).changes, of: scene)
  }

  /// Brings one session to its goal, connecting a scene if it needs one.
  @discardableResult
  func bring(_ plan: Plan, _ slot: Int32, isContinued: Bool) -> SceneHold? {
    if plan.goal == .refreshed, !takeRefresh(plan, slot) {
      if scene(slot) == nil { noteCarriedOut(plan.decisions, slot) }
      finishWithoutScene(plan, slot)
      return nil
    }
    var connected = scene(slot)
    do throws(SceneError) {
      if connected == nil { connected = try connect(plan, slot) }
    } catch {
      failRestoration(plan, slot, error)
      return nil
    }
    // As a message does: a restoration that took too long may have cost the session its scene.
    if connected == nil, case .wake? = plan.delivery { connected = reconnect(slot) }
    guard let scene = connected else {
      finishWithoutScene(plan, slot)
      return nil
    }
    let progress = bring(scene, to: plan.goal, plan.delivery, isContinued: isContinued)
    if core.isAbandoned {
      plan.fail(SceneError.notRunning)
      return nil
    }
    if plan.isFirst, !isContinued {
      open(slot, lastActivated: progress.hold == nil ? plan.activation : 0)
    }
    if var changes = progress.changes {
      if plan.isFirst, !isContinued { changes.isRowChanged = false }
      record(changes, of: scene)
    }
    if let hold = progress.hold {
      if hold == .restoration {
        core.gate.withLock { $0.withdrawActivation(of: handle(slot), plan) }
      }
      return hold
    }
    if plan.activation > 0, !plan.isFirst || isContinued {
      noteActivation(of: scene, plan, isLate: isContinued)
    }
    if plan.goal == .disconnected { release(slot, plan.reason, isKept: progress.isKept) }
    plan.succeed(core.directory.session(handle(slot)))
    return nil
  }

  /// Notes when a session became active: as it was admitted, or after it was held up.
  private func noteActivation(of scene: Scene, _ plan: Plan, isLate: Bool) {
    let activation =
      isLate ? core.gate.withLock { $0.renewActivation(of: handle(scene.slot)) } : plan.activation
    append(.activate(lastActivated: activation), scene.persistentIdentifier)
  }

  /// Keeps what is left of a plan in front of its lanes until it can go on.
  private func park(_ plan: Plan, _ slot: Int32, _ hold: SceneHold, hasCredit: Bool) {
    guard hold == .application, let scene = scene(slot),
      case .event(.notification(let response))? = plan.delivery
    else {
      lanes.park(ShardItem(slot: slot, work: .rest(HeldPlan(plan))))
      if isEnding { mailbox.post(ShardItem(slot: slot, work: .abandonRestorations)) }
      return
    }
    let handshake = Handshake<Void>()
    _ = handshake.answerOrPark()
    let held = HeldPlan(plan, handshake: handshake, hasCredit: hasCredit)
    lanes.park(ShardItem(slot: slot, work: .rest(held)))
    core.applicationQueue.post([.respond(response, scene, handle(slot), handshake)])
  }

  // MARK: - Connections

  /// Whether the session has not failed to open.
  func isAlive(_ slot: Int32) -> Bool {
    mailbox.state.withLock { !$0.entries[Int(slot)].isDead }
  }

  /// Takes up a refresh; false if it was dropped meanwhile, whether or not there is another one
  /// since (R-RF-6).
  private func takeRefresh(_ plan: Plan, _ slot: Int32) -> Bool {
    mailbox.state.withLock {
      $0.entries[Int(slot)].takePendingRefresh(decisions: plan.decisions)
    }
  }

  /// Makes the scene that a plan needs; nil if the plan needs none or the session is gone.
  ///
  /// - Throws: `stateUnreadable` if there is a saved state and it cannot be opened, or
  ///   `stateUnavailable`; while protected data is locked the scene connects without it (R-SR-6).
  private func connect(_ plan: Plan, _ slot: Int32) throws(SceneError) -> Scene? {
    guard let context, plan.goal.connects else { return nil }
    if !plan.isFirst { try requireState(slot) }
    let opened = mailbox.state.withLock { state -> (ShardMailbox.Entry, SceneConfiguration)? in
      guard !state.entries[Int(slot)].isDead else { return nil }
      state.setVisible(true, Int(slot))
      let entry = state.entries[Int(slot)]
      let configuration = core.catalog.configuration(entry.configuration)
      return (entry, configuration)
    }
    guard let (entry, configuration) = opened else { return nil }
    let scene = Scene(
      entry.identifier, configuration, entry.details, context: context, slot: slot,
      decisions: plan.decisions, isStateUnsaved: entry.isStateUnsaved,
      isStateWithheld: entry.isStateStored)
    setScene(scene, slot)
    if entry.isStateStored { reads.withheld.insert(slot) }
    if !plan.isFirst, plan.question == nil, asksConfiguration {
      core.diagnose(.configurationSkipped, entry.identifier)
    }
    report(entry.identifier, .connected(isNew: plan.isFirst))
    return scene
  }

  /// Lets go of a scene that has disconnected.
  ///
  /// - Parameters:
  ///   - slot: The session's.
  ///   - reason: Why it has disconnected.
  ///   - isKept: Whether the store has the state that it left, or is about to get it.
  func release(_ slot: Int32, _ reason: LifecycleEvent.Reason, isKept: Bool) {
    guard let scene = scene(slot) else { return }
    setScene(nil, slot)
    leaveState(slot, isKept: isKept)
    report(scene.persistentIdentifier, .disconnected(reason))
  }

  /// Writes the row of a new session, with everything that its first plan gave it.
  private func open(_ slot: Int32, lastActivated: UInt64) {
    let entry = mailbox.state.withLock { $0.entries[Int(slot)] }
    append(.insert(row(slot, entry.details, lastActivated: lastActivated)), entry.identifier)
  }

  /// A plan for a session that has no scene and needs none, or whose connection failed.
  private func finishWithoutScene(_ plan: Plan, _ slot: Int32) {
    guard isAlive(slot) else {
      if let loss = plan.delivery?.loss { lose(loss, slot) }
      plan.fail(connectionFailed(slot))
      return
    }
    if let loss = plan.delivery?.loss { lose(loss, slot) }
    if case .wake? = plan.delivery {
      // It comes once more, and connects the session that has lost its scene meanwhile.
      let next = mailbox.state.withLock { $0.entries[Int(slot)].details.nextWake }
      core.wakes.set(handle(slot), next)
    }
    plan.succeed(core.directory.session(handle(slot)))
  }

  func connectionFailed(_ slot: Int32) -> SceneError {
    SceneError(
      .connectionFailed, session: core.directory.identifier(handle(slot)),
      "the session's first connection failed, so that it never opened")
  }
}

extension UInt32 {
  /// Whether one count of decisions comes after another one.
  fileprivate func isLater(than other: UInt32) -> Bool {
    Int32(bitPattern: self &- other) > 0
  }
}
