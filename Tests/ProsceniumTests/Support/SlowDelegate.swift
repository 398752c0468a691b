// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

/// A delegate whose callbacks take time by a clock that is stopped otherwise, and which notes how
/// each of them is called.
final class SlowDelegate: ClientSceneDelegate {
  private let log: CallLog
  private let clock: ManualClock
  private let time: Duration

  init(_ log: CallLog, _ clock: ManualClock, _ time: Duration) {
    self.log = log
    self.clock = clock
    self.time = time
  }

  private func spend(_ scene: isolated Scene, _ callback: String = #function) {
    log.append("\(scene.persistentIdentifier.label).\(callback)")
    clock.advance(by: time)
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    spend(scene)
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    spend(scene)
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) { spend(scene) }
  func sceneDidBecomeActive(_ scene: isolated Scene) { spend(scene) }
  func sceneWillResignActive(_ scene: isolated Scene) { spend(scene) }
  func sceneDidEnterBackground(_ scene: isolated Scene) { spend(scene) }
  func sceneDidDisconnect(_ scene: isolated Scene) { spend(scene) }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    spend(scene)
    return .titled("state")
  }

  func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity) {
    spend(scene)
    activity.title = "written"
  }

  func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) { spend(scene) }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    spend(scene)
    return [7]
  }

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) { spend(scene) }
  func scene(_ scene: isolated Scene, continue activity: UserActivity) { spend(scene) }

  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String) {
    spend(scene)
  }

  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    spend(scene)
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) { spend(scene) }
  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    spend(scene)
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) { spend(scene) }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    spend(scene)
    return "reply"
  }

  func scene(
    _ scene: isolated Scene, streamReplyTo message: SceneMessage, into reply: ReplyStream
  ) {
    spend(scene)
  }

  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) { spend(scene) }
}
