// SPDX-License-Identifier: Apache-2.0

/// Notes when each callback of a scene begins and ends, and reports those that take too long.
///
/// What a delegate does not implement is passed on as well, so that the runtime learns of it.
final class TimedSceneDelegate: SceneDelegateFront {
  let delegate: any SceneDelegate
  private let budget: CallbackBudget

  init(_ delegate: any SceneDelegate, _ budget: CallbackBudget) {
    self.delegate = delegate
    self.budget = budget
  }

  private func time<Result>(
    _ callback: Scene.Callback, _ scene: isolated Scene, _ body: () -> Result
  ) -> Result {
    let shard = scene.context.shard
    let isTimed = budget.begin(callback, of: scene.persistentIdentifier, on: shard)
    let result = body()
    if isTimed, let slow = budget.end(on: shard) { scene.context.events.report(slow) }
    return result
  }

  // MARK: - The life cycle

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    time(.willConnect, scene) {
      delegate.scene(scene, willConnectTo: session, options: options)
    }
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    time(.restoreInteractionState, scene) {
      delegate.scene(scene, restoreInteractionStateWith: activity)
    }
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    time(.willEnterForeground, scene) { delegate.sceneWillEnterForeground(scene) }
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    time(.didBecomeActive, scene) { delegate.sceneDidBecomeActive(scene) }
  }

  func sceneWillResignActive(_ scene: isolated Scene) {
    time(.willResignActive, scene) { delegate.sceneWillResignActive(scene) }
  }

  func sceneDidEnterBackground(_ scene: isolated Scene) {
    time(.didEnterBackground, scene) { delegate.sceneDidEnterBackground(scene) }
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    time(.didDisconnect, scene) { delegate.sceneDidDisconnect(scene) }
  }

  // MARK: - State

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    time(.stateRestorationActivity, scene) { delegate.stateRestorationActivity(for: scene) }
  }

  func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity) {
    time(.captureInto, scene) { delegate.scene(scene, captureInto: &activity) }
  }

  func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) {
    time(.didUpdate, scene) { delegate.scene(scene, didUpdate: activity) }
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    time(.snapshot, scene) { delegate.snapshot(for: scene, variant: variant) }
  }

  // MARK: - Events

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    time(.openURLContexts, scene) { delegate.scene(scene, openURLContexts: contexts) }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    time(.continueActivity, scene) { delegate.scene(scene, continue: activity) }
  }

  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String) {
    time(.willContinueActivity, scene) {
      delegate.scene(scene, willContinueUserActivityWithType: activityType)
    }
  }

  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    time(.didFailToContinueActivity, scene) {
      delegate.scene(scene, didFailToContinueUserActivityWithType: activityType, error: error)
    }
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    time(.performAction, scene) { delegate.scene(scene, performActionFor: item) }
  }

  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    time(.userDidAcceptShare, scene) { delegate.scene(scene, userDidAcceptShareWith: metadata) }
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    time(.didReceive, scene) { delegate.scene(scene, didReceive: message) }
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    time(.replyTo, scene) { delegate.scene(scene, replyTo: message) }
  }
}
