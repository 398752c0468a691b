// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// What became of a command that was admitted.
struct Admitted: Sendable {
  /// The session, or nil if there was nothing to do.
  var handle: SessionHandle?
  /// The shard's own task, to be woken if no caller helps.
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

  /// Notes that the application delegate is asked a question, once its plan is queued.
  func asking(
    _ question: ConfigurationQuestion?, in queue: Inbox<ApplicationItem>
  ) -> Admitted {
    guard let question, let handle else { return self }
    queue.append(.ask(question, handle))
    var admitted = self
    admitted.asksConfiguration = true
    return admitted
  }
}

/// How an activation comes about.
struct Approach: Sendable {
  var requester: SessionIdentifier?
  var event: SceneEvent?
  var goal = SceneLifecycle.Goal.foreground
}

// The way of a command: its decision, and the plan that follows.
extension Admitter {
  /// Decides a command, if the phase and the load let it pass, and notes a refusal.
  mutating func admit(
    _ command: Command, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    do throws(SceneError) {
      try phase.check(command)
      if command.isNewWork {
        if writer.isBehind {
          throw SceneError(.systemBusy, "the store is behind with its changes; try again later")
        }
        try work.check(directory.mailboxes)
      }
      return try decide(command, reporting)
    } catch {
      record(.refused(error))
      throw error
    }
  }

  mutating func decide(
    _ command: Command, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    switch command {
    case .activate(let request): return try activate(request, reporting)
    case .open(let session, let hold):
      return try bringForward(
        try directory.require(session), Approach(goal: hold ? .held : .foreground), reporting)
    case .newSession(let new): return try openSession(new, reporting)
    case .drop(let event): return try drop(event, reporting)
    case .event(let routed): return try route(routed, reporting)
    case .refresh(let session): return try refresh(session, reporting)
    case .fulfilRefresh(let session): return try fulfilRefresh(session, reporting)
    case .destroy(let session, let options):
      return try destroyByRequest(session, options, reporting)
    case .close(let session): return try close(session, reporting)
    case .background(let session): return try background(session, reporting)
    case .interrupt(let session): return try interrupt(session, true, reporting)
    case .resume(let session): return try interrupt(session, false, reporting)
    case .disconnect(let session, let reason):
      return try disconnect(session, reason, reporting)
    case .deliver(let work, let session):
      return try deliver(work, session, reporting.reconnecting)
    case .connect(let session): return try connect(session, reporting)
    case .wake(let session): return try wake(session, reporting)
    case .handoff(let delivery, let type):
      return try continueHandoff(delivery, type, reporting)
    }
  }

  /// Appends a plan, counts it, and notes in the session's entry whether it has a scene from now
  /// on.
  ///
  /// No message passes to one that is closed, since it is to end next.
  mutating func append(
    _ plan: Plan, _ handle: SessionHandle, isClosed: Bool = false
  ) -> Sleeper? {
    let isConnected = !isClosed && ledger[handle].state.isConnected
    if plan.isNewWork { work.begin() }
    if plan.isReconnection { reconnections.begin() }
    if case .event(.handoff(let type, _))? = plan.delivery {
      handoffs.expect(type, in: handle, directory)
    }
    let slot = handle.slot(directory.shardBits)
    let isAwaited = plan.ticket != nil
    // R-RF-6: a session that comes to the foreground, or ends, is not refreshed any more.
    let dropsRefresh = plan.goal.isForeground || plan.goal == .destroyed
    let (sleeper, hasDropped) = directory.mailbox(handle).state.withLock { state in
      let hasDropped = dropsRefresh && state.entries[slot].flags[.hasPendingRefresh]
      if hasDropped { state.entries[slot].flags[.hasPendingRefresh] = false }
      // In one step with the plan: one that was dropped may still be queued, and be run just now.
      if plan.goal == .refreshed {
        state.entries[slot].setPendingRefresh(plan: plan.decisions)
      }
      state.entries[slot].flags[.isConnected] = isConnected
      // In one step with the plan, so that nothing can be queued behind the session's end.
      if plan.goal == .destroyed, !plan.endsApplication {
        state.entries[slot].flags[.isOpen] = false
      }
      state.queue.append(ShardItem(slot: Int32(slot), work: .plan(plan)))
      return (isAwaited ? nil : state.doorbell.ring(), hasDropped)
    }
    if hasDropped {
      // One that waits for the host was not decided yet.
      if !pendingRefreshes.contains(handle) {
        record(.refreshDropped(directory.identifier(handle)))
      }
      pendingRefreshes.drop(handle, directory)
    }
    return sleeper
  }
}
