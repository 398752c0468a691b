// SPDX-License-Identifier: Apache-2.0

import Logging
import ProsceniumSimulation
@testable import Proscenium

/// One application under test: numbered sessions, and every call of its delegates in one log.
struct Stage: Sendable {
  let log: CallLog
  let application: Application

  /// Sets an application up.
  ///
  /// - Parameters:
  ///   - log: Receives the calls; a script can write to it as well.
  ///   - script: What scenes do in their callbacks.
  ///   - state: The title of what scenes return at a state capture; nil if they return nothing.
  ///   - store: Where sessions are kept.
  ///   - delegate: What the application delegate does; without it there is none.
  ///   - isSingle: Whether the manifest forbids a second session.
  ///   - logger: Receives diagnostics.
  ///   - manifest: The configurations, if not the one of scripted delegates.
  ///   - activityTypes: The activity types that the manifest declares, if any.
  ///   - change: Changes the settings.
  init(
    log: CallLog = CallLog(), _ script: Script = [:], capturing state: String? = nil,
    store: any SessionStore = InMemorySessionStore(), delegate: ApplicationScript? = nil,
    isSingle: Bool = false, logger: Logger = .silent,
    manifest: [SceneConfiguration]? = nil, activityTypes: [String]? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) {
    var settings = ApplicationSettings.counted
    change(&settings)
    settings.watchOrder()
    let activity = state.map { UserActivity.titled($0) }
    let scripted = SceneConfiguration("Main") {
      ScriptedDelegate(log, script, state: activity)
    }
    self.log = log
    var makeDelegate: (@Sendable () -> any ApplicationDelegate)?
    if let delegate { makeDelegate = { delegate.makeDelegate(log) } }
    var scenes = SceneManifest(manifest ?? [scripted], supportsMultipleScenes: !isSingle)
    scenes.activityTypes = activityTypes
    application = Application(
      manifest: scenes, store: store, settings: settings, log: logger,
      delegate: makeDelegate)
  }

  /// Runs the application around a body, which begins after the launch, and ends it in order.
  func play(_ body: @Sendable (Application) async throws -> Void) async throws {
    try await application.whileRunning {
      await application.core.launched()
      try await body(application)
    }
  }
}

extension SceneError {
  /// The code of the error that an operation throws, or nil if it throws none.
  static func code(of operation: () async throws(SceneError) -> some Any) async -> Code? {
    do throws(SceneError) {
      _ = try await operation()
      return nil
    } catch {
      return error.code
    }
  }
}

extension StoredSession {
  /// A session of the stage's configuration with a counted identifier.
  static func number(
    _ number: UInt64, lastActivated: UInt64 = 0, state: String? = nil,
    conditions: SceneActivationConditions = .init(), role: SceneSession.Role = .windowApplication
  ) -> StoredSession {
    StoredSession(
      persistentIdentifier: .number(number), role: role, configurationName: "Main",
      lastActivated: lastActivated, stateRestorationActivity: state.map { .titled($0) },
      activationConditions: conditions)
  }
}
