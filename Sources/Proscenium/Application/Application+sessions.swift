// SPDX-License-Identifier: Apache-2.0

// The visible view: what callbacks have done so far, readable from anywhere.
extension Application {
  /// How near the application is to its user.
  public nonisolated var applicationState: State { core.tally.state }

  /// Whether the manifest allows more than one session.
  public nonisolated var supportsMultipleScenes: Bool {
    core.catalog.manifest.supportsMultipleScenes
  }

  /// All sessions that are open: those with a scene and those without.
  ///
  /// It is collected shard by shard, each at its own moment; while requests run it is no snapshot
  /// of one instant.
  public nonisolated var openSessions: Set<SceneSession> {
    var sessions: Set<SceneSession> = []
    forEachEntry { entry in
      if entry.isVisible { sessions.insert(core.session(entry)) }
    }
    return sessions
  }

  /// The scenes in memory, collected as ``openSessions`` is.
  public nonisolated var connectedScenes: [Scene] {
    var scenes: [Scene] = []
    forEachEntry { entry in
      if let scene = entry.scene { scenes.append(scene) }
    }
    return scenes
  }

  /// How many scenes are connected, without collecting them.
  public nonisolated var connectedSceneCount: Int {
    core.mailboxes.reduce(0) { $0 + $1.tally.connected }
  }

  /// Returns an open session by its identifier, as it is now.
  public nonisolated func session(_ identifier: SessionIdentifier) -> SceneSession? {
    guard let handle = core.find(identifier) else { return nil }
    let entry = core.entry(handle)
    guard entry.identifier == identifier, entry.isVisible else { return nil }
    return core.session(entry)
  }

  /// Returns the scene that is connected to a session, if there is one.
  public nonisolated func scene(for identifier: SessionIdentifier) -> Scene? {
    guard let handle = core.find(identifier) else { return nil }
    let entry = core.entry(handle)
    return entry.identifier == identifier ? entry.scene : nil
  }

  /// Begins a stream of what happens from now on.
  ///
  /// - Parameter limit: How many events are kept for a listener that is behind; beyond it the
  ///   oldest are dropped.
  /// - Returns: The stream; it ends with the application.
  public nonisolated func lifecycleEvents(limit: Int = 1024) -> AsyncStream<LifecycleEvent> {
    core.events.stream(limit: limit)
  }

  /// Calls a function with the entries of all sessions; locks are held for a page at a time.
  private nonisolated func forEachEntry(_ body: (ShardMailbox.Entry) -> Void) {
    for mailbox in core.mailboxes {
      var next = 0
      var page: [ShardMailbox.Entry] = []
      repeat {
        page = mailbox.state.withLock { state in
          (next..<min(next + 256, state.entries.count)).map { state.entries[$0] }
        }
        next += page.count
        page.forEach(body)
      } while !page.isEmpty
    }
  }
}
