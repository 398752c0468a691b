// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// Saved states that are in the store only: what needs one waits for it, and the shard goes on
// (decision 0017).
extension Shard {
  /// Whether an item can run as far as saved states go; one that is missing is asked for, and the
  /// item's lane is released when the answer is there.
  func hasState(for item: ShardItem) -> Bool {
    guard needsState(item) else { return true }
    return hasState(item.slot, parksLane: true)
  }

  private func needsState(_ item: ShardItem) -> Bool {
    switch item.work {
    case .message, .call, .stream, .durable, .attach, .input, .render: scenes[item.slot] == nil
    case .plan(let plan): needsState(plan, item.slot)
    case .rest(let held): needsState(held.plan, item.slot)
    default: false
    }
  }

  private func needsState(_ plan: Plan, _ slot: Int32) -> Bool {
    if plan.isFirst { return false }
    if scenes[slot] == nil { return plan.mayConnect }
    // What could not be read is not written over by what a capture brings.
    guard reads.withheld.contains(slot) else { return false }
    return (plan.goal == .background || plan.goal == .disconnected) && !isLocked
  }

  /// Whether protected data is not available.
  var isLocked: Bool { core.isLocked.load(ordering: .acquiring) }

  /// Whether the saved state is in memory, or cannot be read; asks for it if neither is known.
  func hasState(_ slot: Int32, parksLane: Bool = false) -> Bool {
    let stored = mailbox.state.withLock { state -> SessionIdentifier? in
      // Otherwise it could go between here and its use: the store may have it any moment.
      state.entries[Int(slot)].flags[.isStateWanted] = true
      return state.entries[Int(slot)].flags[.isStateStored]
        ? state.entries[Int(slot)].identifier : nil
    }
    guard let session = stored, !reads.hasFailed(slot, isLocked: isLocked) else { return true }
    do throws(SceneError) {
      guard let state = try core.states.readAtOnce(session) else {
        reads.ask(session, handle(slot), slot, parksLane: parksLane, isLocked: isLocked)
        return false
      }
      install(state, slot, session)
    } catch {
      reads.fail(slot, error, whileLocked: false)
    }
    return true
  }

  /// Takes what the store has answered, and lets go on what has waited for it.
  func take(_ answer: StateAnswer, _ slot: Int32) {
    guard let question = reads.take(answer.number, slot) else { return }
    do throws(SceneError) {
      install(try answer.state.get(), slot, answer.session)
    } catch {
      reads.fail(slot, error, whileLocked: question.whileLocked)
    }
    // One that takes an error leaves the next one without a state, which asks again.
    for update in reads.takeUpdates(slot) { UpdateRun(update, slot).carryOutOrHold(in: self) }
    if question.parksLane { return lanes.release(slot) }
    _ = reads.takeError(slot)
    leaveUnused(slot)
  }

  /// Brings a saved state into memory, unless it was dropped since it was asked for.
  private func install(_ state: RestoredState, _ slot: Int32, _ session: SessionIdentifier) {
    if let scene = scenes[slot] {
      // What could not be kept without it is captured again.
      let changes = scene.assumeIsolated { scene in
        scene.visit { scene in
          guard scene.marks[.isStateWithheld] else { return }
          scene.take(state)
          guard scene.marks[.isRefused] else { return }
          scene.lifecycle.owesCapture = true
          scene.marks[.isDirty] = true
        }
      }
      return scenes.record(changes, of: scene)
    }
    let isLocked = isLocked
    let installed = mailbox.state.withLock { shared -> (SessionDetails, isRowChanged: Bool)? in
      guard shared.entries[Int(slot)].identifier == session,
        shared.entries[Int(slot)].flags[.isStateStored]
      else { return nil }
      let wake = shared.entries[Int(slot)].details.nextWake
      shared.entries[Int(slot)].details.takeStored(state)
      // The unlock has not told a session whose end is decided.
      if !isLocked { shared.entries[Int(slot)].details.isLocked = false }
      shared.entries[Int(slot)].flags[.isStateStored] = false
      let details = shared.entries[Int(slot)].details
      return (details, details.nextWake != wake)
    }
    guard let (details, isRowChanged) = installed else { return }
    // Also what was due while the session was locked: the unlock may find it open.
    core.wakes.set(handle(slot), details.nextWake)
    // A migration has removed the wake of which the row tells, for example.
    if isRowChanged { scenes.append(.update(scenes.row(slot, details)), session) }
  }

  /// Checks that a session that gets a scene has its saved state.
  ///
  /// - Throws: What kept the state from being read, unless it is withheld while protected data is
  ///   locked: then the scene connects without it (R-SR-6).
  func requireState(_ slot: Int32) throws(SceneError) {
    guard let error = reads.takeError(slot) else { return }
    let wasLocked = mailbox.state.withLock { $0.entries[Int(slot)].details.isLocked }
    guard error.code == .stateUnavailable, wasLocked || isLocked else { throw error }
  }

  /// Lets a state go again that was brought in for nothing.
  func leaveUnused(_ slot: Int32) {
    guard scenes[slot] == nil else { return }
    let (isWanted, isUnsaved) = mailbox.state.withLock {
      ($0.entries[Int(slot)].flags[.isStateWanted], $0.entries[Int(slot)].flags[.isStateUnsaved])
    }
    if isWanted { scenes.leaveState(slot, isKept: !isUnsaved) }
  }

  // MARK: - Scenes that go without their state

  /// Asks for the state that a scene goes without.
  func askWithheldState(_ slot: Int32) {
    guard reads.withheld.contains(slot) else { return }
    if hasState(slot) { _ = reads.takeError(slot) }
  }
}
