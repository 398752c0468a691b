// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

/// Measures the same load where nothing takes time but the delivery: the scenes stay connected, the
/// system does nothing, and the delegate only notes when an event arrives.
///
/// What of a load's latency is left here is the machine's and the load's own.
struct LoadFloor {
  /// How long events are counted at most, in seconds.
  private static let longest = 5.0

  private let test: LoadTest

  /// Prepares the same load as that of a test, without what is in its way.
  init(_ test: LoadTest) {
    var scenario = test.scenario
    scenario.connected = nil
    scenario.memoryLimit = nil
    scenario.refreshes = 0
    scenario.faults = FaultPlan()
    scenario.turn = .none
    if case .seconds(let seconds) = scenario.end {
      scenario.end = .seconds(min(seconds, Self.longest))
    }
    self.test = LoadTest(
      scenario, in: .memory, clock: test.clock, meter: test.meter,
      isInterrupted: test.isInterrupted)
  }

  /// Sends the load to scenes that do nothing; returns how long the events took.
  @concurrent
  func run() async throws -> LatencyHistogram {
    var run = LoadRun(test, try LoadStore(.memory))
    return try await run.measureFloor()
  }
}

/// The delegate of a session that only notes when its events arrive.
final class LoadFloorDelegate: SceneDelegate {
  private let audit: LoadAudit

  init(_ audit: LoadAudit) {
    self.audit = audit
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    let setup = options.userActivities.compactMap { LoadSetup($0) }.first
    if let conditions = setup?.conditions { scene.activationConditions = conditions }
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    note(LoadEvent(message), scene)
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    note(LoadEvent(message), scene)
    return message
  }

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    for context in contexts { note(LoadEvent(.url(context)), scene) }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(LoadEvent(activity), scene)
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    note(LoadEvent(.shortcut(item)), scene)
  }

  private func note(_ event: LoadEvent?, _ scene: isolated Scene) {
    guard let event else { return }
    audit.record(event, hasWaited: false, in: scene.persistentIdentifier)
  }
}
