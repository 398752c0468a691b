// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// What shards decide again, since something came otherwise than it was decided.
extension Admitter {
  /// Takes back that a session became active: its restoration is extended (R-EXT-1).
  mutating func withdrawActivation(of handle: SessionHandle, _ plan: Plan) {
    guard plan.activation > 0 else { return }
    // Unless it has been activated again since.
    guard ledger[handle].lastActivated == plan.activation else { return }
    ledger.withdrawActivation(handle, to: plan.lastActivation)
    rank(handle)
  }

  /// Counts a session as active from now on, after it was held up.
  mutating func renewActivation(of handle: SessionHandle) -> UInt64 {
    let activation = ledger.renewActivation(handle)
    rank(handle)
    return activation
  }

  /// Takes a session for archived that has no scene although everything has run that was decided
  /// about it when its restoration timed out.
  ///
  /// - Returns: The decision that is carried out by this, or nil if there is another one or a
  ///   refresh still to come.
  mutating func archive(_ handle: SessionHandle, decisions: DecisionClock) -> DecisionClock? {
    guard ledger[handle].decisions == decisions, !isRefreshQueued(handle) else {
      return nil
    }
    ledger.disconnect(handle)
    directory.setConnected(handle, false)
    rank(handle)
    return ledger[handle].decisions
  }

  /// Decides that a session is connected again for a message that was accepted while it had, or
  /// was to have, a scene: one that it has lost since (R-EXT-1), or that of a refresh which was
  /// dropped (R-RF-6).
  ///
  /// - Parameters:
  ///   - handle: The session.
  ///   - carriedOut: The last decision about it that is carried out; nil if all are.
  /// - Returns: What its shard is to carry out at once, or nil if the session is to have no scene.
  mutating func reconnect(_ handle: SessionHandle, carriedOut: DecisionClock?) -> Plan? {
    guard phase == .running, ledger[handle].state.isOpen else { return nil }
    let carriedOut = carriedOut ?? ledger[handle].decisions
    if ledger[handle].decisions == carriedOut, ledger.connect(handle) {
      rank(handle)
      record(.connected(directory.identifier(handle)))
      directory.setConnected(handle, true)
      return Plan(goal: .connected, decisions: ledger[handle].decisions)
    }
    // What was decided last is still to be carried out: this is for what was decided before.
    record(.reconnected(directory.identifier(handle), after: carriedOut.count))
    return Plan(goal: .connected, decisions: carriedOut)
  }

  /// Decides about a session whose restoration took too long (R-EXT-1).
  ///
  /// - Parameters:
  ///   - handle: The session.
  ///   - decisions: The decision that brought it forward.
  /// - Returns: The last decision that is carried out by now, and the shard's own task, to be
  ///   woken.
  mutating func expire(
    _ handle: SessionHandle, decisions: DecisionClock
  ) -> (carriedOut: DecisionClock, sleeper: Sleeper?) {
    // It will connect the session, although nothing was decided about where that is to be.
    if isRefreshQueued(handle) { return (decisions, nil) }
    if ledger.expire(handle, decisions: decisions) {
      directory.setConnected(handle, false)
      rank(handle)
      return (ledger[handle].decisions, nil)
    }
    return (decisions, bringBack(handle))
  }

  /// Brings a session whose restoration took too long to where it was to be since.
  mutating func bringBack(_ handle: SessionHandle) -> Sleeper? {
    let goal: SceneLifecycle.Goal
    switch ledger[handle].state {
    case .active: goal = .foreground
    case .inactive: goal = .held
    case .background:
      // What was decided since may connect the session; if it does not, nothing else asks for it.
      let item = ShardItem(
        slot: Int32(handle.slot(directory.shardBits)), work: .archive(ledger[handle].decisions))
      return directory.mailbox(handle).state.withLock { state in
        state.queue.append(item)
        return state.doorbell.ring()
      }
    case .archived, .free, .discarding, .dead: return nil
    }
    // What was decided since counts on a scene, and on where it is.
    let plan = Plan(goal: goal, isRepeated: true, decisions: ledger[handle].decisions)
    return append(plan, handle)
  }
}
