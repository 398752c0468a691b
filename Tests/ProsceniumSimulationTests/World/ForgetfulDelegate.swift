// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Passes every callback on to a delegate of a simulated world, but for each second message.
final class ForgetfulDelegate: SceneDelegateFront {
  let delegate: any SceneDelegate
  private var messages = 0

  init(_ delegate: any SceneDelegate) {
    self.delegate = delegate
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    messages += 1
    if messages % 2 != 0 { delegate.scene(scene, didReceive: message) }
  }

  // MARK: - As they are

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    delegate.scene(scene, willConnectTo: session, options: options)
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    delegate.scene(scene, restoreInteractionStateWith: activity)
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    delegate.sceneWillEnterForeground(scene)
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) { delegate.sceneDidBecomeActive(scene) }

  func sceneWillResignActive(_ scene: isolated Scene) { delegate.sceneWillResignActive(scene) }

  func sceneDidEnterBackground(_ scene: isolated Scene) { delegate.sceneDidEnterBackground(scene) }

  func sceneDidDisconnect(_ scene: isolated Scene) { delegate.sceneDidDisconnect(scene) }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    delegate.scene(scene, continue: activity)
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    delegate.scene(scene, replyTo: message)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    delegate.stateRestorationActivity(for: scene)
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    delegate.snapshot(for: scene, variant: variant)
  }
}
