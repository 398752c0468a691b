// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import ProsceniumSimulation

/// The program that a vector runs: the delegates that do what its scripts say, and its own
/// requests.
///
/// As a rule it is written for the runtime, and what it asks for goes there directly. Another one
/// shows that what it is written for translates everything that the vectors say.
protocol VectorProgram: Sendable {
  /// Makes the program of one run.
  init(_ parts: VectorParts)

  /// What the program is to be like.
  var parts: VectorParts { get }

  // MARK: - The run

  /// Begins a run.
  func begin() async

  /// Gives a process its delegates, before it starts.
  func prepare(_ launch: VectorLaunch) async -> VectorLaunch

  /// Makes the process of a launch, before it starts.
  func makeProcess(
    _ launch: VectorLaunch, on store: InMemorySessionStore
  ) async throws -> VectorProcess

  /// Waits for what the program has left for later; returns whether the program was called since
  /// the last time.
  func rest() async -> Bool

  /// Says where what the program sees is not what the runtime has, while nothing happens.
  func differences() async -> [String]

  /// Lets go of a process that has ended.
  func leave() async

  /// Ends a run.
  func end() async

  // MARK: - What the program does outside of callbacks

  func activate(_ activation: VectorActivation, in run: VectorRun) async throws
  func refresh(_ session: SessionLabel, in run: VectorRun) async throws
  func destroy(
    _ session: SessionLabel, _ animation: VectorAnimation, in run: VectorRun) async throws
  func setUserInfo(
    _ value: UserInfoValue, of session: SessionLabel, in run: VectorRun) async throws
  func setActivity(
    _ activity: ActivityLabel?, of session: SessionLabel, in run: VectorRun) async throws
  func setConditions(
    _ change: ConditionsChange, of session: SessionLabel, in run: VectorRun) async throws
  func completeRestoration(of session: SessionLabel, in run: VectorRun) async throws
  func mutate(_ activity: String, userInfo: [String: UserInfoValue]) async
  func mutateReturned(_ session: SessionLabel, delegateClass: String?) async
  func evaluate(_ predicate: PredicateText, _ subject: String) async throws
}

/// What the program of a vector's run is made of.
struct VectorParts: Sendable {
  let setup: VectorSetup
  let recorder: LifecycleRecorder
  let activities: VectorActivities
  /// Runs everything in the order of a seed, if there is one.
  let executor: SeededExecutor?

  var scripts: SceneScripts { setup.sceneDelegate ?? SceneScripts() }

  /// The classes of scene delegates that the program has.
  var delegateClasses: Set<String> {
    Set(setup.configurations.compactMap(\.delegateClass) + (setup.registeredClasses ?? []))
  }
}

/// What a process is started with.
struct VectorLaunch: Sendable {
  var manifest: SceneManifest
  var settings: ApplicationSettings
  var makeDelegate: (@Sendable () -> any ApplicationDelegate)?

  init(_ manifest: SceneManifest, _ settings: ApplicationSettings) {
    self.manifest = manifest
    self.settings = settings
  }

  /// What is said in a run is of no account.
  static var log: Logger { Logger(label: "conformance") { _ in SwiftLogNoOpLogHandler() } }
}

/// A request of a vector's program to bring a session to the foreground.
struct VectorActivation: Sendable {
  let session: SessionLabel?
  /// The role in which a session is looked for; nil is the older form of the request, without one.
  let role: SuiteRole?
  let activity: ActivityLabel?
  let requester: SceneLabel?
}

/// A program that is written for the runtime.
struct RuntimeProgram: VectorProgram {
  let parts: VectorParts

  init(_ parts: VectorParts) {
    self.parts = parts
  }

  func prepare(_ launch: VectorLaunch) -> VectorLaunch {
    var launch = launch
    let parts = parts
    for name in parts.delegateClasses {
      launch.manifest.register(name) {
        ScriptDelegate(
          delegateClass: name, recorder: parts.recorder, scripts: parts.scripts,
          activities: parts.activities)
      }
    }
    let rules = parts.setup.configurationRules
    launch.makeDelegate = {
      rules.map { ChoosingScriptApplicationDelegate(recorder: parts.recorder, rules: $0) }
        ?? ScriptApplicationDelegate(recorder: parts.recorder)
    }
    return launch
  }
}
