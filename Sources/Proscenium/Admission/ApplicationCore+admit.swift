// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Synchronization

/// What became of a command that was admitted.
struct Admitted: Sendable {
  /// The session, or nil if there was nothing to do.
  var handle: SessionHandle?
  /// The shard's own task, to be woken if nobody helps.
  var sleeper: Sleeper?
  /// Whether the application delegate has been asked for a configuration.
  var asksConfiguration = false
  /// Whether the application delegate will be told of a discard.
  var tellsDiscard = false
  /// The type of a dropped activity that opened nothing, to be reported once the gate is open again
  /// (R-DD-1).
  var undeclared: String?
  /// What to wait for before the same command is admitted: nothing else has happened then.
  var turn: TurnTicket?
}

/// How an activation comes about.
struct Approach: Sendable {
  var requester: SessionIdentifier?
  var event: SceneEvent?
  var goal = SceneLifecycle.Goal.foreground
}

extension ApplicationCore {
  /// Decides a command and appends its plan, in one step behind the gate.
  ///
  /// - Throws: The refusal; nothing has happened then.
  func admit(_ command: Command, _ reporting: Reporting) throws(SceneError) -> Admitted {
    // Found again behind the gate, where it counts; by then it need not be fetched from memory.
    if let session = command.session { _ = find(session) }
    let admitted = try gate.withLock { (gate) throws(SceneError) -> Admitted in
      try admit(command, reporting, &gate)
    }
    report(admitted)
    noteResidualPredicates()
    return admitted
  }

  /// Reports what admission decided, with the gate open.
  func report(_ admitted: Admitted) {
    if let type = admitted.undeclared { diagnose(.undeclaredActivityType(type), nil) }
  }

  /// Admits what follows a discard (R-CFG-6); nobody helps it on.
  func admit(_ replacement: Replacement) {
    do throws(SceneError) {
      let admitted = try admit(replacement.command, replacement.reporting)
      admitted.sleeper?.wake()
      if admitted.asksConfiguration { applicationQueue.ring() }
      if let handle = admitted.handle { mailbox(handle).ring() }
    } catch {
      replacement.reporting.fail(error)
    }
  }

  /// The same for whoever holds the gate.
  func admit(
    _ command: Command, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    do throws(SceneError) {
      try checkPhase(&gate, command)
      return try decide(command, reporting, &gate)
    } catch {
      gate.record(.refused(error))
      throw error
    }
  }

  private func checkPhase(_ gate: inout Gate, _ command: Command) throws(SceneError) {
    switch gate.phase {
    case .running: break
    case .closing where !command.isNewWork: return
    case .idle, .launching, .closing, .ended:
      throw Self.notRunning
    }
    guard command.isNewWork else { return }
    if writer.isBehind {
      throw SceneError(.systemBusy, "the store is behind with its changes; try again later")
    }
    guard hasRoom(&gate) else {
      throw SceneError(
        .systemBusy, "\(settings.requestLimit) requests are unfinished; try again later")
    }
  }

  /// Whether one more request may be unfinished.
  func hasRoom(_ gate: inout Gate) -> Bool {
    if gate.admittedWork - gate.finishedWork < settings.requestLimit { return true }
    gate.finishedWork = mailboxes.reduce(0) { $0 + $1.finishedWork.load(ordering: .relaxed) }
    return gate.admittedWork - gate.finishedWork < settings.requestLimit
  }

  func decide(
    _ command: Command, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    switch command {
    case .activate(let request): return try activate(request, reporting, &gate)
    case .open(let session, let hold):
      return try bringForward(
        try require(session), Approach(goal: hold ? .held : .foreground), reporting, &gate)
    case .newSession(let new): return try openSession(new, reporting, &gate)
    case .drop(let event): return try drop(event, reporting, &gate)
    case .event(let event, let source): return try route(event, source, reporting, &gate)
    case .refresh(let session): return try refresh(session, reporting, &gate)
    case .fulfilRefresh(let session): return try fulfilRefresh(session, reporting, &gate)
    case .destroy(let session, let options):
      return try destroyByRequest(session, options, reporting, &gate)
    case .close(let session): return try close(session, reporting, &gate)
    case .background(let session): return try background(session, reporting, &gate)
    case .interrupt(let session): return try interrupt(session, true, reporting, &gate)
    case .resume(let session): return try interrupt(session, false, reporting, &gate)
    case .disconnect(let session, let reason):
      return try disconnect(session, reason, reporting, &gate)
    case .deliver(let work, let session):
      return try deliver(work, session, reporting.reconnecting, &gate)
    case .connect(let session): return try connect(session, reporting, &gate)
    case .wake(let session): return try wake(session, reporting, &gate)
    case .handoff(let delivery, let type):
      return try continueHandoff(delivery, type, reporting, &gate)
    }
  }

  /// Appends a plan, counts it, and notes in the session's entry whether it has a scene from now
  /// on.
  func append(
    _ plan: Plan, _ handle: SessionHandle, isConnected: Bool, _ gate: inout Gate
  ) -> Sleeper? {
    if plan.isNewWork { gate.admittedWork += 1 }
    if plan.isReconnection { gate.reconnections.begin() }
    if case .event(.handoff(let type, _))? = plan.delivery { expectHandoff(type, handle, &gate) }
    let slot = handle.slot(shardBits)
    let item = ShardItem(slot: Int32(slot), work: .plan(plan))
    let isAwaited = plan.ticket != nil
    // R-RF-6: a session that comes to the foreground, or ends, is not refreshed any more.
    let dropsRefresh = plan.goal.isForeground || plan.goal == .destroyed
    let (sleeper, hasDropped) = mailbox(handle).state.withLock { state in
      let hasDropped = dropsRefresh && state.entries[slot].hasPendingRefresh
      if hasDropped { state.entries[slot].dropPendingRefresh() }
      // In one step with the plan: one that was dropped may still be queued, and be run just now.
      if plan.goal == .refreshed {
        state.entries[slot].setPendingRefresh(decisions: plan.decisions)
      }
      state.entries[slot].isConnected = isConnected
      // In one step with the plan, so that nothing can be queued behind the session's end.
      if plan.goal == .destroyed, !plan.endsApplication { state.entries[slot].isOpen = false }
      state.incoming.append(item)
      return (isAwaited ? nil : state.doorbell.ring(), hasDropped)
    }
    if hasDropped {
      // One that waits for the host was not decided yet.
      if !gate.pendingRefreshes.contains(where: { $0.session == handle }) {
        gate.record(.refreshDropped(identifier(handle)))
      }
      forgetRefresh(handle, &gate)
    }
    return sleeper
  }
}
