// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Commands about one session that is open already.
extension ApplicationCore {
  func require(_ session: SessionIdentifier) throws(SceneError) -> SessionHandle {
    guard let handle = find(session) else {
      throw SceneError(
        .sessionNotOpen, session: session, "the session is not open, or is about to end")
    }
    return handle
  }

  /// Appends a plan that leaves a scene connected or not, and counts its handle as admitted.
  func admit(
    _ goal: SceneLifecycle.Goal, _ handle: SessionHandle, isConnected: Bool,
    _ reporting: Reporting, _ gate: inout Gate, isNewWork: Bool = false,
    isReconnection: Bool = false,
    activation: UInt64 = 0, delivery: Delivery? = nil, question: ConfigurationQuestion? = nil
  ) -> Admitted {
    let plan = Plan(
      goal: goal, isNewWork: isNewWork, isReconnection: isReconnection,
      decisions: gate.ledger[handle].decisions,
      activation: activation, ticket: reporting.ticket,
      cargo: reporting.cargo(delivery, question: question))
    let sleeper = append(plan, handle, isConnected: isConnected, &gate)
    return ask(question, Admitted(handle: handle, sleeper: sleeper))
  }

  /// Appends a plan that changes no state and may deliver something.
  func admitUnchanged(
    _ delivery: Delivery?, _ handle: SessionHandle, _ reporting: Reporting, _ gate: inout Gate
  ) -> Admitted {
    let isConnected = gate.ledger[handle].state.isConnected
    return admit(
      .unchanged, handle, isConnected: isConnected, reporting, &gate, delivery: delivery)
  }

  // MARK: - Ends

  /// Section 2.7: nothing more is admitted from here on; the slot is free when all is told.
  func destroy(
    _ session: SessionIdentifier, _ handle: SessionHandle, _ reason: LifecycleEvent.Reason,
    _ reporting: Reporting, _ gate: inout Gate
  ) -> Admitted {
    gate.ledger.discard(handle)
    gate.record(.destroyed(session))
    let plan = Plan(
      goal: .destroyed, reason: reason, ticket: reporting.ticket, cargo: reporting.cargo())
    let sleeper = append(plan, handle, isConnected: false, &gate)
    router.remove(handle)
    return Admitted(handle: handle, sleeper: sleeper, tellsDiscard: hasApplicationDelegate)
  }

  /// A request to end a session; the only one of a single-scene application stays (section 1.14).
  func destroyByRequest(
    _ session: SessionIdentifier, _ reason: Scene.DestructionReason,
    _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    if !gate.ledger.rules.supportsMultipleScenes, gate.ledger.openCount == 1 {
      throw SceneError(
        .onlySession, session: session, "it is the only session of a single-scene application")
    }
    try checkPolicy(.destruction(session), nil, gate)
    return destroy(session, handle, .dismissed(reason), reporting, &gate)
  }

  /// R-DST-6: what the last session's end means is for the settings to say.
  func close(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    guard settings.lastSessionClose == .uikitCompat, gate.ledger.openCount == 1 else {
      return destroy(session, handle, .dismissed(.standard), reporting, &gate)
    }
    // The session is there at the next launch; until then nothing more is admitted.
    gate.phase = .closing
    gate.ledger.disconnect(handle)
    let plan = Plan(
      goal: .destroyed, reason: .dismissed(.standard), endsApplication: true,
      ticket: reporting.ticket, cargo: reporting.cargo())
    let sleeper = append(plan, handle, isConnected: false, &gate)
    // It would wait for the end of a restoration that nobody will see.
    mailbox(handle).post(ShardItem(slot: 0, work: .abandonRestorations))
    return Admitted(handle: handle, sleeper: sleeper)
  }

  /// Decides about a session whose restoration took too long (R-EXT-1).
  ///
  /// - Parameters:
  ///   - handle: The session.
  ///   - decisions: The count of decisions when it was brought forward.
  ///   - gate: What stands behind the gate.
  /// - Returns: How many decisions are carried out by now, this one included, and the shard's own
  ///   task, to be woken.
  func expire(
    _ handle: SessionHandle, decisions: UInt32, _ gate: inout Gate
  ) -> (carriedOut: UInt32, sleeper: Sleeper?) {
    // It will connect the session, although nothing was decided about where that is to be.
    if isRefreshQueued(handle, gate) { return (decisions, nil) }
    if gate.ledger.expire(handle, decisions: decisions) {
      noteArchived(handle, &gate)
      return (gate.ledger[handle].decisions, nil)
    }
    return (decisions, bringBack(handle, &gate))
  }

  /// Brings a session whose restoration took too long to where it was to be since.
  private func bringBack(_ handle: SessionHandle, _ gate: inout Gate) -> Sleeper? {
    let goal: SceneLifecycle.Goal
    switch gate.ledger[handle].state {
    case .active: goal = .foreground
    case .inactive: goal = .held
    case .background:
      // What was decided since may connect the session; if it does not, nothing else asks for it.
      let item = ShardItem(
        slot: Int32(handle.slot(shardBits)), work: .archive(gate.ledger[handle].decisions))
      return mailbox(handle).state.withLock { state in
        state.incoming.append(item)
        return state.doorbell.ring()
      }
    case .archived, .free, .discarding, .dead: return nil
    }
    // What was decided since counts on a scene, and on where it is.
    let plan = Plan(goal: goal, isRepeated: true, decisions: gate.ledger[handle].decisions)
    return append(plan, handle, isConnected: true, &gate)
  }

  /// Takes a session for archived that has no scene although everything has run that was decided
  /// about it when its restoration timed out.
  ///
  /// - Returns: How many decisions are carried out by now, this one included, or nil if there is
  ///   another one or a refresh still to come.
  func archive(_ handle: SessionHandle, decisions: UInt32) -> UInt32? {
    gate.withLock { gate in
      guard gate.ledger[handle].decisions == decisions, !isRefreshQueued(handle, gate) else {
        return nil
      }
      gate.ledger.disconnect(handle)
      noteArchived(handle, &gate)
      return gate.ledger[handle].decisions
    }
  }

  private func noteArchived(_ handle: SessionHandle, _ gate: inout Gate) {
    mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)].isConnected = false }
    stand(handle, gate)
  }

  /// Decides that a session is connected once more for a message that was accepted while it had, or
  /// was to have, a scene: one that it has lost since (R-EXT-1), or that of a refresh which was
  /// dropped (R-RF-6).
  ///
  /// - Parameters:
  ///   - handle: The session.
  ///   - carriedOut: How many decisions about it are carried out; nil if all are.
  /// - Returns: What its shard is to carry out at once, or nil if the session is to have no scene.
  func reconnect(_ handle: SessionHandle, carriedOut: UInt32?) -> Plan? {
    gate.withLock { gate in
      guard gate.phase == .running, gate.ledger[handle].state.isOpen else { return nil }
      let carriedOut = carriedOut ?? gate.ledger[handle].decisions
      if gate.ledger[handle].decisions == carriedOut, gate.ledger.connect(handle) {
        stand(handle, gate)
        gate.record(.connected(identifier(handle)))
        mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)].isConnected = true }
        return Plan(goal: .connected, decisions: gate.ledger[handle].decisions)
      }
      // What was decided last is still to be carried out: this is for what was decided before.
      gate.record(.reconnected(identifier(handle), after: carriedOut))
      return Plan(goal: .connected, decisions: carriedOut)
    }
  }

  // MARK: - States

  func background(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    if gate.ledger[handle].state.isForeground, gate.phase == .running,
      isDestroyed(handle, by: .userInitiatedDismissal)
    {
      return destroy(session, handle, .destructionCondition, reporting, &gate)
    }
    return sendToBackground(handle, isConnected: true, reporting, &gate)
      ?? follow(handle, reporting, &gate)
  }

  /// Decides that a session leaves the foreground; nil if it is not there.
  func sendToBackground(
    _ handle: SessionHandle, isConnected: Bool, _ reporting: Reporting, _ gate: inout Gate
  ) -> Admitted? {
    guard gate.ledger.enterBackground(handle) else { return nil }
    stand(handle, gate)
    gate.record(.background(identifier(handle)))
    return admit(.background, handle, isConnected: isConnected, reporting, &gate)
  }

  /// Whether one of the session's destruction conditions has come true (R-DC-1).
  private func isDestroyed(
    _ handle: SessionHandle, by condition: Scene.DestructionCondition
  ) -> Bool {
    mailbox(handle).state.withLock {
      $0.entries[handle.slot(shardBits)].isDestroyed(by: condition)
    }
  }

  func interrupt(
    _ session: SessionIdentifier, _ isInterrupted: Bool, _ reporting: Reporting,
    _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    // A scene that takes no input is inactive for good.
    guard catalog.role(gate.ledger[handle].role).becomesActive else {
      return follow(handle, reporting, &gate)
    }
    switch gate.ledger.setInterrupted(handle, isInterrupted) {
    case .unchanged: return follow(handle, reporting, &gate)
    case .interrupted:
      stand(handle, gate)
      gate.record(.interrupted(session))
      return admit(.inactive, handle, isConnected: true, reporting, &gate)
    case .resumed(let counter):
      stand(handle, gate)
      gate.record(.resumed(session))
      return admit(
        .foreground, handle, isConnected: true, reporting, &gate, isNewWork: true,
        activation: counter)
    }
  }

  /// R-DIS-1: only a scene in the background; an archived session has nothing to give up.
  func disconnect(
    _ session: SessionIdentifier, _ reason: LifecycleEvent.Reason, _ reporting: Reporting,
    _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    switch gate.ledger[handle].state {
    case .inactive, .active:
      throw SceneError(
        .notInBackground, session: session, "a scene in the foreground cannot be disconnected")
    case .background where isDestroyed(handle, by: .systemDisconnection):
      return destroy(session, handle, .destructionCondition, reporting, &gate)
    case .background:
      gate.ledger.disconnect(handle)
      stand(handle, gate)
      gate.record(.disconnected(session))
      let plan = Plan(
        goal: .disconnected, reason: reason, decisions: gate.ledger[handle].decisions,
        ticket: reporting.ticket, cargo: reporting.cargo())
      return Admitted(handle: handle, sleeper: append(plan, handle, isConnected: false, &gate))
    case .archived, .free, .discarding, .dead:
      return follow(handle, reporting, &gate)
    }
  }

  /// A message for a session without a scene: connected in the background, then delivered.
  func deliver(
    _ work: ShardItem.Work, _ session: SessionIdentifier, _ reconnecting: Reconnecting,
    _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    var connecting = Admitted()
    if gate.ledger[handle].state == .archived {
      connecting = try connect(session, Reporting(reconnecting: reconnecting), &gate)
      if connecting.turn != nil { return connecting }
    }
    let item = ShardItem(slot: Int32(handle.slot(shardBits)), work: work)
    let second = mailbox(handle).state.withLock { state in
      state.incoming.append(item)
      if item.isCounted { state.eventCount += 1 }
      return state.doorbell.ring()
    }
    // Whoever rings takes the sleeping task, and has to wake it.
    connecting.handle = handle
    connecting.sleeper = connecting.sleeper ?? second
    return connecting
  }

  func connect(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate,
    delivery: Delivery? = nil
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    guard gate.ledger[handle].state == .archived else { return follow(handle, reporting, &gate) }
    if isUnresolvable(handle) {
      replace(handle, with: nil, Reporting(), &gate).sleeper?.wake()
      throw SceneError(
        .unresolvableConfiguration, session: session,
        "nothing makes a scene for the session's configuration any more; it is discarded")
    }
    if let turn = try beginReconnection(handle, reporting.reconnecting, &gate) {
      return Admitted(turn: turn)
    }
    let question = takeQuestion(handle, nil, gate)
    _ = gate.ledger.connect(handle)
    stand(handle, gate)
    gate.record(.connected(session))
    return admit(
      .connected, handle, isConnected: true, reporting, &gate, isNewWork: true,
      isReconnection: true,
      delivery: delivery, question: question)
  }

  /// Nothing is to be decided; whoever waits, waits for what was decided before.
  func follow(
    _ handle: SessionHandle, _ reporting: Reporting, _ gate: inout Gate
  ) -> Admitted {
    guard reporting.isAwaited else { return Admitted() }
    return admitUnchanged(nil, handle, reporting, &gate)
  }
}
