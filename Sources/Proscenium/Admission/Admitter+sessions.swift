// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Commands about one session that is open already.
extension Admitter {
  /// Appends the plan that a decision comes to.
  mutating func admit(
    _ goal: SceneLifecycle.Goal, _ handle: SessionHandle, _ reporting: Reporting,
    isClosed: Bool = false, isNewWork: Bool = false, isReconnection: Bool = false,
    activation: UInt64 = 0, delivery: Delivery? = nil, question: ConfigurationQuestion? = nil
  ) -> Admitted {
    let plan = Plan(
      goal: goal, isNewWork: isNewWork, isReconnection: isReconnection,
      decisions: ledger[handle].decisions,
      activation: activation, ticket: reporting.ticket,
      cargo: reporting.cargo(delivery, question: question))
    let sleeper = append(plan, handle, isClosed: isClosed)
    return Admitted(handle: handle, sleeper: sleeper).asking(question, in: ports.applicationQueue)
  }

  /// SEQ-DESTROY: nothing more is admitted from here on; the slot is free when all is told.
  mutating func destroy(
    _ session: SessionIdentifier, _ handle: SessionHandle, _ reason: LifecycleEvent.Reason,
    _ reporting: Reporting
  ) -> Admitted {
    ledger.discard(handle)
    record(.destroyed(session))
    let plan = Plan(
      goal: .destroyed, reason: reason, ticket: reporting.ticket, cargo: reporting.cargo())
    let sleeper = append(plan, handle)
    router.remove(handle, departs: reason.isDeparture)
    return Admitted(
      handle: handle, sleeper: sleeper,
      tellsDiscard: rules.hasApplicationDelegate && !reason.isDeparture)
  }

  /// A request to end a session; the only one of a single-scene application stays
  /// (semantics#errors).
  mutating func destroyByRequest(
    _ session: SessionIdentifier, _ reason: Scene.DestructionReason,
    _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    if !ledger.rules.supportsMultipleScenes, ledger.openCount == 1 {
      throw SceneError(
        .onlySession, session: session, "it is the only session of a single-scene application")
    }
    try checkPolicy(.destroy(session, reason), nil)
    return destroy(session, handle, .dismissed(reason), reporting)
  }

  /// R-DST-6: what the last session's end means is for the settings to say.
  mutating func close(
    _ session: SessionIdentifier, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    guard settings.lastSessionClose == .uikitCompat, ledger.openCount == 1 else {
      return destroy(session, handle, .dismissed(.standard), reporting)
    }
    // The session is there at the next launch; until then nothing more is admitted.
    phase = .closing
    ledger.disconnect(handle)
    let plan = Plan(
      goal: .destroyed, reason: .dismissed(.standard), endsApplication: true,
      ticket: reporting.ticket, cargo: reporting.cargo())
    let sleeper = append(plan, handle)
    // It would wait for the end of a restoration that no user will see.
    directory.mailbox(handle).post(ShardItem(slot: 0, work: .abandonRestorations))
    return Admitted(handle: handle, sleeper: sleeper)
  }

  mutating func background(
    _ session: SessionIdentifier, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    if ledger[handle].state.isForeground, phase == .running,
      directory.isDestroyed(handle, by: .userInitiatedDismissal)
    {
      return destroy(session, handle, .destructionCondition, reporting)
    }
    return sendToBackground(handle, reporting)
      ?? follow(handle, reporting)
  }

  /// Decides that a session leaves the foreground; nil if it is not there.
  mutating func sendToBackground(
    _ handle: SessionHandle, isClosed: Bool = false, _ reporting: Reporting
  ) -> Admitted? {
    guard ledger.enterBackground(handle) else { return nil }
    rank(handle)
    record(.background(directory.identifier(handle)))
    return admit(.background, handle, reporting, isClosed: isClosed)
  }

  mutating func interrupt(
    _ session: SessionIdentifier, _ isInterrupted: Bool, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    // A scene that takes no input is inactive for good.
    guard catalog.role(ledger[handle].role).becomesActive else {
      return follow(handle, reporting)
    }
    switch ledger.setInterrupted(handle, isInterrupted) {
    case .unchanged: return follow(handle, reporting)
    case .interrupted:
      rank(handle)
      record(.interrupted(session))
      return admit(.inactive, handle, reporting)
    case .resumed(let counter):
      rank(handle)
      record(.resumed(session))
      return admit(
        .foreground, handle, reporting, isNewWork: true, activation: counter)
    }
  }

  /// R-DIS-1: only a scene in the background; an archived session has nothing to give up.
  mutating func disconnect(
    _ session: SessionIdentifier, _ reason: LifecycleEvent.Reason, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    switch ledger[handle].state {
    case .inactive, .active:
      throw SceneError(
        .notInBackground, session: session, "a scene in the foreground cannot be disconnected")
    case .background where directory.isDestroyed(handle, by: .systemDisconnection):
      return destroy(session, handle, .destructionCondition, reporting)
    case .background:
      ledger.disconnect(handle)
      rank(handle)
      record(.disconnected(session))
      let plan = Plan(
        goal: .disconnected, reason: reason, decisions: ledger[handle].decisions,
        ticket: reporting.ticket, cargo: reporting.cargo())
      return Admitted(handle: handle, sleeper: append(plan, handle))
    case .archived, .free, .discarding, .dead:
      return follow(handle, reporting)
    }
  }

  /// A message for a session without a scene: connected in the background, then delivered.
  mutating func deliver(
    _ work: ShardItem.Work, _ session: SessionIdentifier, _ reconnecting: Reconnecting
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    var connecting = Admitted()
    if ledger[handle].state == .archived {
      connecting = try connect(session, Reporting(reconnecting: reconnecting))
      if connecting.turn != nil { return connecting }
    }
    let item = ShardItem(slot: Int32(handle.slot(directory.shardBits)), work: work)
    let second = directory.mailbox(handle).state.withLock { state in
      state.queue.append(item)
      if item.isCounted { state.eventCount += 1 }
      return state.doorbell.ring()
    }
    // The ring takes the sleeping task, which has to be woken.
    connecting.handle = handle
    connecting.sleeper = connecting.sleeper ?? second
    return connecting
  }

  mutating func connect(
    _ session: SessionIdentifier, _ reporting: Reporting,
    delivery: Delivery? = nil
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    guard ledger[handle].state == .archived else { return follow(handle, reporting) }
    if directory.isUnresolvable(handle, asksConfiguration: asksConfiguration) {
      replace(handle, with: nil, Reporting()).sleeper?.wake()
      throw SceneError(
        .unresolvableConfiguration, session: session,
        "nothing makes a scene for the session's configuration any more; it is discarded")
    }
    if let turn = try beginReconnection(handle, reporting.reconnecting) {
      return Admitted(turn: turn)
    }
    let question = asksConfiguration ? directory.takeQuestion(handle, nil) : nil
    _ = ledger.connect(handle)
    rank(handle)
    record(.connected(session))
    return admit(
      .connected, handle, reporting, isNewWork: true, isReconnection: true, delivery: delivery,
      question: question)
  }

  /// Nothing is to be decided; a caller that waits, waits for what was decided before.
  mutating func follow(
    _ handle: SessionHandle, _ reporting: Reporting
  ) -> Admitted {
    guard reporting.isAwaited else { return Admitted() }
    return admit(.unchanged, handle, reporting)
  }
}
