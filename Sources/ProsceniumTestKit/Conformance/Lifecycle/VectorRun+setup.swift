// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import ProsceniumPredicate

// How a vector begins: rows in the store, then the scenes one after the other.
extension VectorRun {
  private var setup: VectorSetup { vector.setup }
  private var sessions: [VectorSession] { setup.sessions?.all ?? [] }

  /// Brings everything to where the vector's setup has it.
  mutating func build() async throws(VectorDifference) {
    var rows: [StoredSession] = []
    for session in sessions {
      do throws(PredicateFormatError) {
        rows.append(try session.row(setup.configurations, activities))
      } catch {
        throw VectorDifference("\(session.label): expected conditions, found \(error)")
      }
      recorder.state.withLock { state in
        state.book.enter(session.label, session.persistentIdentifier)
        let isConnected = session.state != .archived
        state.book.setInstances(
          (session.instance?.value ?? 1) - (isConnected ? 1 : 0), of: session.label)
      }
    }
    store = InMemorySessionStore(rows)
    recorder.follow(nil, store)
    guard setup.process == .running else { return }
    await launch(.background)
    await rest()
    try await connect(rows)
  }

  /// Connects the scenes of a process that runs and brings them to their states.
  private mutating func connect(_ rows: [StoredSession]) async throws(VectorDifference) {
    guard let application = process?.application else {
      throw VectorDifference("expected a running process, found that its launch failed")
    }
    for session in sessions where session.state != .archived {
      application.host.submit(.connect(session.persistentIdentifier))
      await rest()
    }
    let foreground = zip(sessions, rows.map(\.lastActivated)).filter(\.0.state.isForeground)
      .sorted { $0.1 < $1.1 }
    for (session, _) in foreground {
      application.host.submit(.open(session.persistentIdentifier))
      await rest()
    }
    for (session, _) in foreground where session.state == .inactive {
      application.host.submit(.interrupt(session.persistentIdentifier))
      await rest()
    }
    // Not every scene that is opened becomes active, so that the order may be another one.
    for (session, lastActivated) in foreground {
      application.process.seed(lastActivated: lastActivated, of: session.persistentIdentifier)
    }
    for session in sessions {
      let state = application.scene(for: session.persistentIdentifier)?.activationState
      guard state == session.state.activationState else {
        throw VectorDifference(
          "\(session.label): expected the state \(session.state.rawValue), found "
            + (state.map { "\($0)" } ?? "no scene"))
      }
    }
    if let difference = recorder.takeDifferences().first { throw VectorDifference(difference) }
  }

  // MARK: - Launching

  /// Starts the process for an event.
  mutating func launch(with event: SceneEvent, source: SessionLabel?) async {
    // What is submitted before the launch is routed by it.
    if source == nil {
      await launch(.event(event))
    } else {
      await launch(.background, (event, source))
    }
  }

  /// Starts the process.
  mutating func launch(
    _ launch: ApplicationSettings.Launch, _ first: (event: SceneEvent, source: SessionLabel?)? = nil
  ) async {
    let launched = await program.prepare(VectorLaunch(manifest, settings(launch)))
    let process: VectorProcess
    do {
      process = try await program.makeProcess(launched, on: store)
    } catch let error as SceneError {
      return recorder.fail("launch", error.code)
    } catch {
      return recorder.note("expected the launch to fail with an error of a scene, found \(error)")
    }
    recorder.follow(process.application, store)
    self.process = process
    if case .event(let event) = launch {
      _ = recorder.expectRoute(event.targetContentIdentifier, source: nil)
    }
    if let first { try? submit(first.event, source: first.source) }
    process.start(on: options.executor)
  }

  private var manifest: SceneManifest {
    let configurations = setup.configurations
    var manifest = SceneManifest(
      configurations, supportsMultipleScenes: setup.supportsMultipleScenes ?? true)
    manifest.activityTypes = setup.activityTypes ?? ["t"]
    return manifest
  }

  private func settings(_ launch: ApplicationSettings.Launch) -> ApplicationSettings {
    let recorder = recorder
    var settings = ApplicationSettings()
    settings.launch = launch
    settings.isProtectedDataAvailable = !isLocked
    settings.shards = options.shards
    settings.foregroundCapacity = setup.foregroundCapacity?.value ?? 1
    settings.sessionQuota = setup.sessionQuota?.value
    settings.lastSessionClose = setup.lastSessionClose == .uikitCompat ? .uikitCompat : .discard
    settings.restorationLimit = setup.restorationLimit?.duration ?? .seconds(10)
    settings.fulfilsRefreshesByHost = true
    settings.snapshotVariants = setup.snapshotVariants?.names ?? []
    settings.refreshesInForeground = setup.snapshotDance == .uikit
    settings.clock = clock
    settings.taskExecutor = options.executor
    settings.identifiers = recorder.identifiers
    settings.observer = { recorder.observe($0) }
    return settings
  }
}
