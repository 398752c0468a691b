// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization

@testable import Proscenium

/// A storm that feeds itself: each scene that becomes active asks for two more and ends itself.
final class StormBurst: Sendable {
  struct Plan: Sendable, CustomStringConvertible {
    var shards: Int
    var capacity: Int?
    var hasDelegate: Bool
    /// How many activations and self-destructions callbacks are to issue.
    var requests = min(StormPlan.requests * 8 / 3, 200_000)

    var description: String {
      "\(shards) shards, capacity \(capacity.map { "\($0)" } ?? "unlimited"), "
        + "\(hasDelegate ? "with" : "without") a delegate, \(requests) requests"
    }
  }

  private struct WeakScene: Sendable {
    weak var scene: Scene?
  }

  static let requestLimit = 32
  static let eventLimit = 64

  let plan: Plan
  let trace = StormTrace()
  let store = InMemorySessionStore()
  /// What was issued from callbacks, and which of it was refused.
  let activations = Atomic<Int>(0)
  let destructions = Atomic<Int>(0)
  let refusals = Atomic<Int>(0)
  let otherErrors = Atomic<Int>(0)
  /// What was issued from outside, to keep the storm alive.
  let seeds = Atomic<Int>(0)
  let refusedSeeds = Atomic<Int>(0)
  let becameActive = Atomic<Int>(0)
  let delegates = Atomic<Int>(0)
  let discards = Atomic<Int>(0)
  /// Whether scenes stay, so that the bounds can be measured.
  let isOver = Atomic<Bool>(false)
  /// How many requests and messages one callback could make before it was refused.
  let room = Atomic<Int>(0)
  let messageRoom = Atomic<Int>(0)
  private let scenes = Guarded<[WeakScene]>([])

  init(_ plan: Plan) {
    self.plan = plan
  }

  var issued: Int {
    activations.load(ordering: .relaxed) + destructions.load(ordering: .relaxed)
  }

  var liveScenes: Int { scenes.withLock { $0.count { $0.scene != nil } } }

  func remember(_ scene: Scene) {
    scenes.withLock { $0.append(WeakScene(scene: scene)) }
  }

  func makeApplication() -> Application {
    var settings = ApplicationSettings.counted
    settings.shards = plan.shards
    settings.foregroundCapacity = plan.capacity
    settings.requestLimit = Self.requestLimit
    settings.eventLimit = Self.eventLimit
    let trace = trace
    settings.onAdmission = { trace.append($0) }
    settings.watchOrder()
    let configuration = SceneConfiguration("Burst") { StormBurstDelegate(self) }
    guard plan.hasDelegate else {
      return Application(
        manifest: [configuration], store: store, settings: settings, log: .silent)
    }
    return Application(
      manifest: [configuration], store: store, settings: settings, log: .silent
    ) { StormBurstApplicationDelegate(self) }
  }

  func note(_ error: SceneError) {
    if error.code == .systemBusy {
      refusals.wrappingAdd(1, ordering: .relaxed)
    } else {
      otherErrors.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Seeds the storm until callbacks have issued what the plan wants.
  func rage(_ application: Application) async {
    while issued < plan.requests {
      do throws(SceneError) {
        try await application.host.newSession()
        seeds.wrappingAdd(1, ordering: .relaxed)
      } catch {
        if error.code != .systemBusy { otherErrors.wrappingAdd(1, ordering: .relaxed) }
        refusedSeeds.wrappingAdd(1, ordering: .relaxed)
        await Task.yield()
      }
    }
    await application.settle()
  }
}

/// A delegate whose scene asks for two others and ends itself as soon as it is active.
final class StormBurstDelegate: SceneDelegate {
  private let burst: StormBurst

  init(_ burst: StormBurst) {
    self.burst = burst
    burst.delegates.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    burst.delegates.wrappingSubtract(1, ordering: .relaxed)
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    burst.remember(scene)
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    let burst = burst
    guard !burst.isOver.load(ordering: .relaxed) else { return }
    burst.becameActive.wrappingAdd(1, ordering: .relaxed)
    let isFed = burst.issued < burst.plan.requests
    if isFed { activate(scene) }
    burst.destructions.wrappingAdd(1, ordering: .relaxed)
    scene.application.submit(
      .destroy(scene.persistentIdentifier),
      onFailure: { _ in burst.otherErrors.wrappingAdd(1, ordering: .relaxed) })
    if isFed { activate(scene) }
  }

  private func activate(_ scene: isolated Scene) {
    let burst = burst
    burst.activations.wrappingAdd(1, ordering: .relaxed)
    let options = Scene.ActivationRequestOptions(requestingScene: scene.persistentIdentifier)
    scene.application.submit(
      .activate(SceneSessionActivationRequest(options: options)),
      onFailure: { burst.note($0) })
  }

  /// Measures how much can be submitted and sent from one callback, which no one works off
  /// in between.
  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    guard message.string == "measure" else { return }
    let burst = burst
    var count = 0
    let refused = Guarded(false)
    while count < 10_000, !refused.withLock({ $0 }) {
      scene.application.host.submit(.newSession()) { _ in refused.withLock { $0 = true } }
      count += 1
    }
    burst.room.store(count - 1, ordering: .relaxed)
    var sent = 0
    while sent < 10_000,
      (try? scene.application.send("", to: scene.persistentIdentifier)) != nil
    {
      sent += 1
    }
    burst.messageRoom.store(sent, ordering: .relaxed)
  }
}

/// An application delegate that chooses what the manifest chose, and counts discards.
final class StormBurstApplicationDelegate: ConfiguringApplicationDelegate {
  private let burst: StormBurst

  init(_ burst: StormBurst) {
    self.burst = burst
  }

  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    session.configuration
  }

  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    burst.discards.wrappingAdd(sessions.count, ordering: .relaxed)
  }
}
