// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Wraps a delegate, and delays some of its callbacks.
final class FaultySceneDelegate: SceneDelegateFront {
  private let next: any SceneDelegate
  private let injector: FaultInjector
  private var random: SplitMix64

  /// Creates a front of a delegate, which may be a front itself.
  init(_ next: any SceneDelegate, _ injector: FaultInjector, _ random: SplitMix64) {
    self.next = next
    self.injector = injector
    self.random = random
  }

  var delegate: any SceneDelegate { (next as? any SceneDelegateFront)?.delegate ?? next }

  /// Hogs or hangs before a callback, if the plan says so.
  private func linger(_ scene: isolated Scene) {
    let plan = injector.plan.delegates
    guard injector.isInjecting else { return }
    if let time = plan.hogs.draw(&random) { pass(time, .delegateHog, scene) }
    if let time = plan.hangs.draw(&random) { pass(time, .delegateHang, scene) }
  }

  private func pass(_ time: Duration, _ kind: FaultKind, _ scene: isolated Scene) {
    guard let moment = injector.moment() else { return }
    injector.note(
      InjectedFault(kind, at: moment, session: scene.persistentIdentifier, duration: time))
    // A manual clock does not run during a callback, so the callback moves it.
    if let clock = injector.clock as? ManualClock { return clock.advance(by: time) }
    let passed = injector.clock.stopwatch()
    while injector.isInjecting, passed() < time {
      if kind == .delegateHang { usleep(1_000) }
    }
  }

  // MARK: - The life cycle

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    linger(scene)
    next.scene(scene, willConnectTo: session, options: options)
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    linger(scene)
    next.scene(scene, restoreInteractionStateWith: activity)
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    linger(scene)
    next.sceneWillEnterForeground(scene)
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    linger(scene)
    next.sceneDidBecomeActive(scene)
  }

  func sceneWillResignActive(_ scene: isolated Scene) {
    linger(scene)
    next.sceneWillResignActive(scene)
  }

  func sceneDidEnterBackground(_ scene: isolated Scene) {
    linger(scene)
    next.sceneDidEnterBackground(scene)
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    linger(scene)
    next.sceneDidDisconnect(scene)
  }

  // MARK: - State

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    linger(scene)
    return next.stateRestorationActivity(for: scene)
  }

  func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity) {
    linger(scene)
    next.scene(scene, captureInto: &activity)
  }

  func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) {
    linger(scene)
    next.scene(scene, didUpdate: activity)
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    linger(scene)
    return next.snapshot(for: scene, variant: variant)
  }

  // MARK: - Events

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    linger(scene)
    next.scene(scene, openURLContexts: contexts)
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    linger(scene)
    next.scene(scene, continue: activity)
  }

  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String) {
    linger(scene)
    next.scene(scene, willContinueUserActivityWithType: activityType)
  }

  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    linger(scene)
    next.scene(scene, didFailToContinueUserActivityWithType: activityType, error: error)
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    linger(scene)
    next.scene(scene, performActionFor: item)
  }

  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    linger(scene)
    next.scene(scene, userDidAcceptShareWith: metadata)
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    linger(scene)
    next.scene(scene, didReceive: message)
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    linger(scene)
    return next.scene(scene, replyTo: message)
  }
}
