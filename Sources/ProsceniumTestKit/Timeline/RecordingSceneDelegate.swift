// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Writes each callback of a scene down and passes it on to the program's delegate.
///
/// A line is written before the delegate is called, that of a state capture after it. What a
/// delegate does not implement is passed on as well, so that the runtime learns of it.
final class RecordingSceneDelegate: SceneDelegateFront, ClientSceneDelegate,
  StatefulSceneDelegate
{
  let delegate: any SceneDelegate
  private let recorder: TimelineRecorder

  init(_ delegate: any SceneDelegate, _ recorder: TimelineRecorder) {
    self.delegate = delegate
    self.recorder = recorder
  }

  private func note(_ scene: isolated Scene, _ callback: String) {
    recorder.record(callback, of: scene.persistentIdentifier)
  }

  // MARK: - The life cycle

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    note(scene, "willConnect(\(TimelineText.options(options)))")
    delegate.scene(scene, willConnectTo: session, options: options)
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    note(scene, "restoreInteractionState(\(TimelineText.activity(activity)))")
    delegate.scene(scene, restoreInteractionStateWith: activity)
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    note(scene, "willEnterForeground")
    delegate.sceneWillEnterForeground(scene)
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    note(scene, "didBecomeActive")
    delegate.sceneDidBecomeActive(scene)
  }

  func sceneWillResignActive(_ scene: isolated Scene) {
    note(scene, "willResignActive")
    delegate.sceneWillResignActive(scene)
  }

  func sceneDidEnterBackground(_ scene: isolated Scene) {
    note(scene, "didEnterBackground")
    delegate.sceneDidEnterBackground(scene)
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    note(scene, "didDisconnect")
    delegate.sceneDidDisconnect(scene)
  }

  // MARK: - State

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    let activity = delegate.stateRestorationActivity(for: scene)
    if !scene.isUnhandled {
      note(scene, "stateRestorationActivity -> \(TimelineText.activity(activity))")
    }
    return activity
  }

  func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity) {
    delegate.scene(scene, captureInto: &activity)
  }

  func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) {
    delegate.scene(scene, didUpdate: activity)
  }

  func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    (delegate as? any StatefulSceneDelegate)?.scene(scene, captureStateInto: &state)
    note(scene, "captureState -> \(TimelineText.activity(state.activity))")
  }

  func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    note(scene, "restoreState(\(TimelineText.activity(scene.session.stateRestorationActivity)))")
    (delegate as? any StatefulSceneDelegate)?.scene(scene, restoreStateFrom: &state)
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    delegate.snapshot(for: scene, variant: variant)
  }

  // MARK: - Events

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    let urls = contexts.map { TimelineText.atom($0.url) }.joined(separator: ", ")
    note(scene, "openURLContexts{\(urls)}")
    delegate.scene(scene, openURLContexts: contexts)
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(scene, "continue(\(TimelineText.activity(activity)))")
    delegate.scene(scene, continue: activity)
  }

  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String) {
    note(scene, "willContinue(\(TimelineText.atom(activityType)))")
    delegate.scene(scene, willContinueUserActivityWithType: activityType)
  }

  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    note(scene, "didFailToContinue(\(TimelineText.atom(activityType)))")
    delegate.scene(scene, didFailToContinueUserActivityWithType: activityType, error: error)
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    note(scene, "performAction(\(TimelineText.atom(item.type)))")
    delegate.scene(scene, performActionFor: item)
  }

  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    note(scene, "userDidAcceptShare(\(TimelineText.atom(metadata.identifier)))")
    delegate.scene(scene, userDidAcceptShareWith: metadata)
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    note(scene, "didReceive(\(TimelineText.atom(message.string)))")
    delegate.scene(scene, didReceive: message)
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    note(scene, "replyTo(\(TimelineText.atom(message.string)))")
    return delegate.scene(scene, replyTo: message)
  }

  func scene(
    _ scene: isolated Scene, streamReplyTo message: SceneMessage, into reply: ReplyStream
  ) {
    note(scene, "streamReplyTo(\(TimelineText.atom(message.string)))")
    guard let delegate = delegate as? any ClientSceneDelegate else {
      scene.leaveUnhandled()
      return
    }
    delegate.scene(scene, streamReplyTo: message, into: reply)
  }

  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    note(scene, "renderAfter(\(reset.rawValue))")
    (delegate as? any ClientSceneDelegate)?.scene(scene, renderAfter: reset)
  }
}
