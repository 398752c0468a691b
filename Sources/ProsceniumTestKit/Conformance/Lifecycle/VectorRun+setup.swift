// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Proscenium
import ProsceniumPredicate

// How a vector begins: rows in the store, then the scenes one after the other.
extension VectorRun {
  private var setup: VectorSetup { vector.setup }

  /// Brings everything to where the vector's setup has it.
  mutating func build(_ group: inout DiscardingTaskGroup) async throws(VectorDifference) {
    var rows: [StoredSession] = []
    for session in setup.sessions {
      rows.append(try row(session))
      recorder.state.withLock { state in
        state.book.enter(session.label, session.identifier)
        let isConnected = session.state != .archived
        state.book.setInstances(session.instance - (isConnected ? 1 : 0), of: session.label)
      }
    }
    store = InMemorySessionStore(rows)
    recorder.follow(nil, store)
    guard setup.isRunning else { return }
    launch(.background, nil, &group)
    await rest()
    try await connect()
  }

  private func row(_ session: VectorSession) throws(VectorDifference) -> StoredSession {
    let configuration = session.configuration
    return StoredSession(
      persistentIdentifier: session.identifier, role: session.role.role,
      configurationName: configuration?.name, delegateClass: configuration?.delegateClass,
      sceneClass: configuration?.sceneClass, lastActivated: session.lastActivated,
      stateRestorationActivity: session.stateRestorationActivity.map { activities[$0] },
      userInfo: session.userInfo, activationConditions: try conditions(session))
  }

  private func conditions(
    _ session: VectorSession
  ) throws(VectorDifference) -> SceneActivationConditions {
    do throws(PredicateFormatError) {
      return SceneActivationConditions(
        can: try ContentPredicate(format: session.can, arguments: []),
        prefers: try ContentPredicate(format: session.prefers, arguments: []))
    } catch {
      throw VectorDifference("\(session.label): expected conditions, found \(error)")
    }
  }

  /// Connects the scenes of a process that runs and brings them to their states.
  private mutating func connect() async throws(VectorDifference) {
    guard let application = process?.application else {
      throw VectorDifference("expected a running process, found that its launch failed")
    }
    for session in setup.sessions where session.state != .archived {
      application.host.submit(.connect(session.identifier))
      await rest()
    }
    let foreground = setup.sessions.filter(\.state.isForeground)
      .sorted { $0.lastActivated < $1.lastActivated }
    for session in foreground {
      application.host.submit(.open(session.identifier))
      await rest()
    }
    for session in foreground where session.state == .inactive {
      application.host.submit(.interrupt(session.identifier))
      await rest()
    }
    // Not every scene that is opened becomes active, so that the order may be another one.
    for session in foreground {
      application.seed(lastActivated: session.lastActivated, of: session.identifier)
    }
    for session in setup.sessions {
      let state = application.scene(for: session.identifier)?.activationState
      guard state == session.state.activationState else {
        throw VectorDifference(
          "\(session.label): expected the state \(session.state.rawValue), found "
            + (state.map { SceneFields.State($0).rawValue } ?? "no scene"))
      }
    }
    if let difference = recorder.takeDifferences().first { throw VectorDifference(difference) }
  }

  // MARK: - Launching

  /// Starts the process.
  mutating func launch(
    _ launch: ApplicationSettings.Launch, _ first: (event: SceneEvent, source: SessionIdentifier?)?,
    _ group: inout DiscardingTaskGroup
  ) {
    let recorder = recorder
    let rules = setup.configurationRules
    let application = Application(
      manifest: manifest, store: store, settings: settings(launch),
      log: Logger(label: "conformance", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
      rules.map { ChoosingScriptApplicationDelegate(recorder: recorder, rules: $0) }
        ?? ScriptApplicationDelegate(recorder: recorder)
    }
    recorder.follow(application, store)
    if case .event(let event) = launch {
      _ = recorder.expectRoute(event.targetContentIdentifier, source: nil)
    }
    if let first { submit(first.event, source: first.source, to: application) }
    let process = VectorProcess(application, recorder: recorder)
    self.process = process
    group.addTask { await process.run() }
  }

  private var manifest: SceneManifest {
    var manifest = SceneManifest(
      setup.manifest.map { entry in
        SceneConfiguration(
          name: entry.name, role: entry.role.role, delegateClass: entry.delegateClass,
          sceneClass: entry.sceneClass)
      }, supportsMultipleScenes: setup.supportsMultipleScenes)
    manifest.activityTypes = setup.activityTypes
    for name in Set(setup.manifest.map(\.delegateClass) + setup.registeredClasses) {
      let (recorder, scripts, activities) = (recorder, setup.scripts, activities)
      manifest.register(name) {
        ScriptDelegate(
          delegateClass: name, recorder: recorder, scripts: scripts, activities: activities)
      }
    }
    return manifest
  }

  private func settings(_ launch: ApplicationSettings.Launch) -> ApplicationSettings {
    let recorder = recorder
    var settings = ApplicationSettings()
    settings.launch = launch
    settings.isProtectedDataAvailable = !isLocked
    settings.shards = options.shards
    settings.foregroundCapacity = setup.foregroundCapacity
    settings.sessionQuota = setup.sessionQuota
    settings.lastSessionClose = setup.lastSessionClose
    settings.restorationLimit = setup.restorationLimit
    settings.refreshSchedule = .manual
    settings.snapshotVariants = setup.snapshotVariants
    settings.snapshotDance = setup.snapshotDance
    settings.clock = clock
    settings.identifiers = recorder.identifiers
    settings.observer = { recorder.observe($0) }
    return settings
  }
}

extension VectorSession.State {
  fileprivate var activationState: Scene.ActivationState? {
    switch self {
    case .archived: nil
    case .background: .background
    case .inactive: .foregroundInactive
    case .active: .foregroundActive
    }
  }
}
