// SPDX-License-Identifier: Apache-2.0

// Commands about one session that is open already.
extension ApplicationCore {
  func require(_ session: SessionIdentifier) throws(SceneError) -> SessionHandle {
    guard let handle = find(session) else {
      throw SceneError(.requestDenied, session: session, "the session is not open")
    }
    return handle
  }

  /// Appends a plan that leaves a scene connected or not, and counts its handle as admitted.
  private func admit(
    _ goal: SceneLifecycle.Goal, _ handle: SessionHandle, isConnected: Bool,
    _ reporting: Reporting, _ gate: inout Gate, isNewWork: Bool = false,
    activation: UInt64? = nil
  ) -> Admitted {
    let plan = Plan(
      goal: goal, isNewWork: isNewWork, activation: activation, ticket: reporting.ticket,
      cargo: reporting.cargo())
    return Admitted(handle: handle, sleeper: append(plan, handle, isConnected: isConnected, &gate))
  }

  /// R-RF-1, R-RF-5: acts on scenes that are not in the foreground, and once for many.
  func refresh(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    guard let handle = find(session), !gate.ledger[handle].state.isForeground else {
      return Admitted()
    }
    let slot = handle.slot(shardBits)
    let isQueued = mailbox(handle).state.withLock { state in
      defer { state.entries[slot].isRefreshQueued = true }
      return state.entries[slot].isRefreshQueued
    }
    if isQueued { return follow(handle, reporting, &gate) }
    if gate.ledger.connect(handle) { stand(handle, gate) }
    gate.record(.refreshed(session))
    return admit(.refreshed, handle, isConnected: true, reporting, &gate, isNewWork: true)
  }

  /// Section 2.7: the identifier names nothing from here on; the slot is free when all is told.
  func destroy(
    _ session: SessionIdentifier, _ reason: LifecycleEvent.Reason, _ reporting: Reporting,
    _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    if !gate.ledger.rules.supportsMultipleScenes, gate.ledger.openCount == 1 {
      throw SceneError(
        .requestDenied, session: session, "it is the only session of a single-scene application")
    }
    gate.ledger.discard(handle)
    gate.record(.destroyed(session))
    let plan = Plan(
      goal: .destroyed, reason: reason, ticket: reporting.ticket, cargo: reporting.cargo())
    let sleeper = append(plan, handle, isConnected: false, &gate)
    close(session, handle)
    return Admitted(handle: handle, sleeper: sleeper, tellsDiscard: hasApplicationDelegate)
  }

  func background(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    guard gate.ledger.enterBackground(handle) else {
      return follow(handle, reporting, &gate)
    }
    stand(handle, gate)
    gate.record(.background(session))
    return admit(.background, handle, isConnected: true, reporting, &gate)
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
    case .background:
      gate.ledger.disconnect(handle)
      stand(handle, gate)
      gate.record(.disconnected(session))
      let plan = Plan(
        goal: .disconnected, reason: reason, ticket: reporting.ticket, cargo: reporting.cargo())
      return Admitted(handle: handle, sleeper: append(plan, handle, isConnected: false, &gate))
    case .archived, .free, .discarding, .dead:
      return follow(handle, reporting, &gate)
    }
  }

  /// A message for a session without a scene: connected in the background, then delivered.
  func deliver(
    _ work: ShardItem.Work, _ session: SessionIdentifier, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    var first: Sleeper?
    if gate.ledger.connect(handle) {
      stand(handle, gate)
      gate.record(.connected(session))
      first = append(
        Plan(goal: .connected, isNewWork: true), handle, isConnected: true, &gate)
    }
    let item = ShardItem(slot: Int32(handle.slot(shardBits)), work: work)
    let second = mailbox(handle).state.withLock { state in
      state.incoming.append(item)
      if item.isCounted { state.eventCount += 1 }
      return state.doorbell.ring()
    }
    // Whoever rings takes the sleeping task, and has to wake it.
    return Admitted(handle: handle, sleeper: first ?? second)
  }

  func connect(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    guard gate.ledger.connect(handle) else { return follow(handle, reporting, &gate) }
    stand(handle, gate)
    gate.record(.connected(session))
    return admit(.connected, handle, isConnected: true, reporting, &gate, isNewWork: true)
  }

  /// Nothing is to be decided; whoever waits, waits for what was decided before.
  private func follow(
    _ handle: SessionHandle, _ reporting: Reporting, _ gate: inout Gate
  ) -> Admitted {
    guard reporting.isAwaited else { return Admitted() }
    let isConnected = gate.ledger[handle].state.isConnected
    return admit(.unchanged, handle, isConnected: isConnected, reporting, &gate)
  }
}
