// SPDX-License-Identifier: Apache-2.0

// Messages and calls: they change no state.
extension Shard {
  func deliver(_ message: SceneMessage, to slot: Int32) async {
    guard let scene = scene(slot) else { return lose(.message(message), slot) }
    if let details = await scene.receive(message) { publish(details, slot) }
  }

  func call(_ message: SceneMessage, _ ticket: Ticket<SceneMessage>, _ slot: Int32) async {
    guard let scene = scene(slot) else {
      ticket.answer(
        .failure(SceneError(.lost, "the session ended before the call reached its scene")))
      return
    }
    let (reply, details) = await scene.reply(to: message)
    if let details { publish(details, slot) }
    ticket.answer(
      reply.map { .success($0) }
        ?? .failure(
          SceneError(
            .unhandledCall, session: scene.persistentIdentifier,
            "the scene's delegate does not implement scene(_:replyTo:)")))
  }

  /// Reports something that was accepted and cannot be delivered any more.
  func lose(_ loss: LifecycleEvent.Loss, _ slot: Int32) {
    let identifier = mailbox.state.withLock { $0.entries[Int(slot)].identifier }
    core.events.report(identifier, .lost(loss))
  }

  /// Makes changed details visible: to readers, to routing and to the store.
  func publish(_ details: SessionDetails, _ slot: Int32) {
    let before = mailbox.state.withLock { state in
      defer { state.entries[Int(slot)].details = details }
      return state.entries[Int(slot)]
    }
    let identifier = before.identifier
    if details.activationConditions != before.details.activationConditions {
      core.router.setConditions(handle(slot), details.activationConditions)
      core.noteResidualPredicates()
    }
    changes.append(SessionChange(session: identifier, kind: .update(details)))
  }

  // Called by scenes, which run on the shard's executor.

  /// Counts a scene from one state to another and reports it.
  nonisolated func move(
    _ identifier: SessionIdentifier, from old: Scene.ActivationState,
    to new: Scene.ActivationState
  ) {
    mailbox.tally.move(from: old, to: new, core.tally)
    report(identifier, .transition(from: old, to: new))
  }

  /// Reports a lifecycle event if somebody listens.
  nonisolated func report(
    _ identifier: SessionIdentifier, _ kind: @autoclosure () -> LifecycleEvent.Kind
  ) {
    core.events.report(identifier, kind())
  }
}
