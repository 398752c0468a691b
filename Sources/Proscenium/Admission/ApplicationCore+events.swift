// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Events for scenes that are active and stay so: about their sessions nothing is to be decided.
extension ApplicationCore {
  /// Appends an event without passing the gate, if it goes to a scene that is active and stays so.
  ///
  /// It takes its place in the order of all requests in the moment in which it is appended. Since
  /// before the choice was begun, no change of what the router goes by may have been under way, and
  /// nothing that was decided about the session may be.
  ///
  /// - Returns: Whether it was appended; if not, it has to pass the gate.
  func postAtOnce(
    _ event: SceneEvent, _ onFailure: (@Sendable (SceneError) -> Void)?
  ) -> Bool {
    // Whoever records admissions wants them in their order, which the gate knows.
    guard settings.onAdmission == nil, !writer.isBehind else { return false }
    // Until it is left, the handle of the session that is chosen is no other session's.
    let completed = gate.changes.value.completedCount
    guard
      let choice = try? router.choose(
        event.targetContentIdentifier, role: ConfigurationCatalog.windowApplication, source: nil),
      let posted = post(
        event, choice, onFailure, if: { gate.changes.value.none(since: completed) })
    else { return false }
    posted.sleeper?.wake()
    return true
  }

  /// Appends an event for the session that was chosen, if its scene is active and stays so.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - choice: What the router chose.
  ///   - onFailure: Who wants to know of a failure.
  ///   - isValid: Whether the choice may still be used; asked as the last thing.
  /// - Returns: The session and who is to be woken, or nil if it was not appended.
  func post(
    _ event: SceneEvent, _ choice: ContentRouter.Choice,
    _ onFailure: (@Sendable (SceneError) -> Void)?, if isValid: () -> Bool = { true }
  ) -> Admitted? {
    guard !event.hasConsequences, let handle = choice.session else { return nil }
    let slot = handle.slot(shardBits)
    let mailbox = mailbox(handle)
    let session = mailbox.state.withLock { state in
      state.entries[slot].takesEvents ? state.entries[slot].identifier : nil
    }
    guard let session else { return nil }
    // Made with no lock held; mostly it is needed.
    let item = ShardItem(
      slot: Int32(slot),
      work: .event(
        Plan.Cargo(
          delivery: .event(event), routing: RoutingDecision(rule: choice.rule, session: session),
          question: nil, onFailure: onFailure)))
    return mailbox.state.withLock { state in
      guard state.entries[slot].takesEvents, state.eventCount < settings.eventLimit, isValid()
      else { return nil }
      state.incoming.append(item)
      state.eventCount += 1
      return Admitted(handle: handle, sleeper: state.doorbell.ring())
    }
  }
}

extension SceneEvent {
  /// Whether more follows from the event than its delivery: that data is awaited, or that the
  /// application delegate is asked to respond.
  fileprivate var hasConsequences: Bool {
    switch self {
    case .handoff, .notification: true
    case .activity, .url, .shortcut, .share: false
    }
  }
}
