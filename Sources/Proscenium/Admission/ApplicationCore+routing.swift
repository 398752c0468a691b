// SPDX-License-Identifier: Apache-2.0

// Events: which session shows their content (section 3.3).
extension ApplicationCore {
  func route(
    _ event: SceneEvent, _ source: SessionIdentifier?, _ reporting: Reporting,
    _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let role = SceneSession.Role.windowApplication
    let source = source.flatMap { find($0) }
    if let chosen = choose(event, source, role, gate) {
      return bringForward(chosen, requester: nil, event: event, reporting, &gate)
    }
    if gate.ledger.refusalOfNewSession() != nil,
      let forced = best(role, gate, source: source)
    {
      var admitted = bringForward(forced, requester: nil, event: event, reporting, &gate)
      admitted.diagnostic = .forcedRoute(identifier(forced))
      return admitted
    }
    return try openSession(
      role, group: nil, requester: nil, event: event, reporting, &gate)
  }

  /// Rules 1 to 4 of section 3.3: nil asks for a new session.
  private func choose(
    _ event: SceneEvent, _ source: SessionHandle?, _ role: SceneSession.Role, _ gate: Gate
  ) -> SessionHandle? {
    guard gate.ledger.rules.supportsMultipleScenes,
      let identifier = event.targetContentIdentifier
    else { return best(role, gate, source: source) }
    if let chosen = preferred(identifier, role, gate, source: source) { return chosen }
    return router.withLock { router in
      best(role, gate, source: source) { router.can($0, identifier) }
    }
  }

  /// The first, in the order of R-RT-6, of the sessions of a role that prefer an identifier.
  func preferred(
    _ identifier: String, _ role: SceneSession.Role, _ gate: Gate, source: SessionHandle?
  ) -> SessionHandle? {
    guard var choice = choice(role, gate, source) else { return nil }
    return router.withLock { router in
      router.forEachPreferring(identifier) { choice.consider($0, gate.ledger[$0]) }
      return choice.best
    }
  }

  /// The first, in the order of R-RT-6, of all open sessions of a role that pass a test.
  func best(
    _ role: SceneSession.Role, _ gate: Gate, source: SessionHandle?,
    where isCandidate: (SessionHandle) -> Bool = { _ in true }
  ) -> SessionHandle? {
    guard var choice = choice(role, gate, source) else { return nil }
    gate.ledger.forEachOpen { handle, record in
      if choice.isBetter(handle, record), isCandidate(handle) { choice.consider(handle, record) }
    }
    return choice.best
  }

  private func choice(
    _ role: SceneSession.Role, _ gate: Gate, _ source: SessionHandle?
  ) -> SessionChoice? {
    guard let roleIndex = try? catalog.index(of: role) else { return nil }
    return SessionChoice(role: roleIndex, source: source, identifier: identifier)
  }
}
