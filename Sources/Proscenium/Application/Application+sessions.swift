// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// The visible view: what callbacks have done so far, readable from anywhere.
extension Application {
  /// How near the application is to its user.
  public nonisolated var applicationState: State { core.tally.value.state }

  /// Whether the manifest allows more than one session.
  public nonisolated var supportsMultipleScenes: Bool {
    core.catalog.manifest.supportsMultipleScenes
  }

  /// All sessions that are open: those with a scene and those without.
  public nonisolated var openSessions: OpenSessions { OpenSessions(core) }

  /// The scenes in memory, collected shard by shard as ``openSessions`` is.
  public nonisolated var connectedScenes: [Scene] {
    var scenes: [Scene] = []
    for entry in core.directory.entries {
      if let scene = entry.scene { scenes.append(scene) }
    }
    return scenes
  }

  /// How many scenes are connected, without collecting them.
  public nonisolated var connectedSceneCount: Int {
    core.directory.mailboxes.reduce(0) { $0 + $1.tally.connected }
  }

  /// Returns an open session by its identifier, as it is now: one of ``openSessions``, or nil.
  public nonisolated func session(_ identifier: SessionIdentifier) -> SceneSession? {
    openSessions[identifier]
  }

  /// Returns the open sessions of an owner, by identifier.
  ///
  /// Its time depends on how many these are alone.
  public nonisolated func sessions(of owner: String) -> [SceneSession] {
    let handles = core.gate.withLock { $0.ledger.owners[owner] }
    let entries = handles.map { core.directory.entry($0) }.filter {
      $0.flags[.isVisible] && $0.details.owner == owner
    }
    return entries.sorted { $0.identifier < $1.identifier }.map { core.directory.session($0) }
  }

  /// Returns the open session that would rather show content than any other: the one that an
  /// activation request for it would use again (R-REQ-2).
  ///
  /// Its time does not depend on how many sessions there are. In a single-scene application it is
  /// the one session.
  ///
  /// - Parameters:
  ///   - identifier: The target content identifier, up to 8,192 UTF-8 bytes.
  ///   - role: The role whose sessions are looked at.
  /// - Returns: The session, or nil if none prefers the content.
  /// - Throws: `limitExceeded` for a longer identifier.
  public nonisolated func session(
    showing identifier: String, role: SceneSession.Role = .windowApplication
  ) throws(SceneError) -> SceneSession? {
    guard supportsMultipleScenes else { return openSessions.first }
    let role = try core.catalog.index(of: role)
    let decision = try SceneError.routed { () throws(RoutingRefusal) in
      try core.router.decideForActivation(identifier, role: role)
    }
    return decision.session.flatMap { session($0) }
  }

  /// Changes what an open session holds, whether or not it has a scene.
  ///
  /// The change is made at once, also while the session's restoration is extended, and is kept like
  /// one that the scene makes. A connected scene sees it; it is not told.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - change: Changes the fields of the session as it is; called once, on the executor of the
  ///     session's shard. It must not block.
  /// - Returns: The session as it is after the change.
  /// - Throws: `sessionNotOpen` if the session is not open, `stateUnreadable` or `stateUnavailable`
  ///   if it has no scene and its saved state cannot be opened, `limitExceeded` if what it would
  ///   hold is too large, `notPropertyList`, or `notRunning`.
  @discardableResult
  public nonisolated func updateSession(
    _ session: SessionIdentifier, _ change: @escaping @Sendable (inout SceneSession) -> Void
  ) async throws(SceneError) -> SceneSession {
    try await commands.update(session, .needed, change)
  }

  /// Returns the saved state of an open session: activity, settings, snapshots and wakes.
  ///
  /// That of a session without a scene is read from the store, as it was last committed.
  ///
  /// - Parameter session: The session.
  /// - Returns: The state; an empty one if nothing is kept.
  /// - Throws: `sessionNotOpen`, `stateUnreadable` if its state cannot be
  ///   opened, `stateUnavailable` if there is no key now (R-SR-6).
  public nonisolated func savedState(
    of session: SessionIdentifier
  ) async throws(SceneError) -> SavedState {
    guard let open = self.session(session) else { throw core.directory.notOpen(session) }
    return try await open.readState()
  }

  /// Drops a session's saved state: activity, settings and snapshots.
  ///
  /// For one that cannot be opened (`stateUnreadable`), and whose session is to go on without it. A
  /// connected scene is not told.
  ///
  /// - Throws: `sessionNotOpen` if the session is not open, `notDurable` if the store cannot seal
  ///   that there is none, or `notRunning`.
  public nonisolated func dropSavedState(
    of session: SessionIdentifier
  ) async throws(SceneError) {
    _ = try await commands.update(session, .dropped) { session in
      session.details.isLocked = false
      session.details.state = SavedState()
    }
  }

  /// Returns the scene that is connected to a session, if there is one: one of
  /// ``connectedScenes``, from before its first callback until its last one has returned.
  public nonisolated func scene(for identifier: SessionIdentifier) -> Scene? {
    core.directory.visibleEntry(identifier)?.scene
  }

  /// Begins a stream of what happens from now on.
  ///
  /// - Parameter limit: How many events are kept for a listener that is behind; beyond it the
  ///   oldest are dropped.
  /// - Returns: The stream; it ends with the application.
  public nonisolated func lifecycleEvents(limit: Int = 1024) -> AsyncStream<LifecycleEvent> {
    core.events.stream(limit: limit)
  }
}
