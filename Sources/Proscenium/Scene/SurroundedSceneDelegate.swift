// SPDX-License-Identifier: Apache-2.0

/// What is done around each callback of a scene.
package protocol CallbackSurround: Sendable {
  /// Is called before a callback; tells whether ``end(_:)`` is to be called after it.
  func begin(_ callback: Scene.Callback, _ scene: isolated Scene) -> Bool

  /// Is called after a callback.
  func end(_ scene: isolated Scene)
}

/// Passes each callback of a scene on, and does something before and after it.
///
/// What a delegate does not implement is passed on as well, so that the runtime learns of it.
package final class SurroundedSceneDelegate: SceneDelegateFront, ClientSceneDelegate,
  StatefulSceneDelegate
{
  package let delegate: any SceneDelegate
  private let surround: any CallbackSurround

  /// Makes a front of a delegate, which may be a front itself.
  package init(_ delegate: any SceneDelegate, _ surround: any CallbackSurround) {
    self.delegate = delegate
    self.surround = surround
  }

  private func pass<Result>(
    _ callback: Scene.Callback, _ scene: isolated Scene, _ body: () -> Result
  ) -> Result {
    let isFollowed = surround.begin(callback, scene)
    let result = body()
    if isFollowed { surround.end(scene) }
    return result
  }

  // MARK: - The life cycle

  package func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    pass(.willConnect, scene) {
      delegate.scene(scene, willConnectTo: session, options: options)
    }
  }

  package func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    pass(.restoreInteractionState, scene) {
      delegate.scene(scene, restoreInteractionStateWith: activity)
    }
  }

  package func sceneWillEnterForeground(_ scene: isolated Scene) {
    pass(.willEnterForeground, scene) { delegate.sceneWillEnterForeground(scene) }
  }

  package func sceneDidBecomeActive(_ scene: isolated Scene) {
    pass(.didBecomeActive, scene) { delegate.sceneDidBecomeActive(scene) }
  }

  package func sceneWillResignActive(_ scene: isolated Scene) {
    pass(.willResignActive, scene) { delegate.sceneWillResignActive(scene) }
  }

  package func sceneDidEnterBackground(_ scene: isolated Scene) {
    pass(.didEnterBackground, scene) { delegate.sceneDidEnterBackground(scene) }
  }

  package func sceneDidDisconnect(_ scene: isolated Scene) {
    pass(.didDisconnect, scene) { delegate.sceneDidDisconnect(scene) }
  }

  // MARK: - State

  package func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    pass(.stateRestorationActivity, scene) { delegate.stateRestorationActivity(for: scene) }
  }

  package func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity) {
    pass(.captureInto, scene) { delegate.scene(scene, captureInto: &activity) }
  }

  package func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) {
    pass(.didUpdate, scene) { delegate.scene(scene, didUpdate: activity) }
  }

  package func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    pass(.captureState, scene) {
      (delegate as? any StatefulSceneDelegate)?.scene(scene, captureStateInto: &state)
    }
  }

  package func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    pass(.restoreState, scene) {
      (delegate as? any StatefulSceneDelegate)?.scene(scene, restoreStateFrom: &state)
    }
  }

  package func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    pass(.snapshot, scene) { delegate.snapshot(for: scene, variant: variant) }
  }

  // MARK: - Events

  package func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    pass(.openURLContexts, scene) { delegate.scene(scene, openURLContexts: contexts) }
  }

  package func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    pass(.continueActivity, scene) { delegate.scene(scene, continue: activity) }
  }

  package func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String)
  {
    pass(.willContinueActivity, scene) {
      delegate.scene(scene, willContinueUserActivityWithType: activityType)
    }
  }

  package func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    pass(.didFailToContinueActivity, scene) {
      delegate.scene(scene, didFailToContinueUserActivityWithType: activityType, error: error)
    }
  }

  package func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    pass(.performAction, scene) { delegate.scene(scene, performActionFor: item) }
  }

  package func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    pass(.userDidAcceptShare, scene) { delegate.scene(scene, userDidAcceptShareWith: metadata) }
  }

  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    pass(.didReceive, scene) { delegate.scene(scene, didReceive: message) }
  }

  package func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    pass(.replyTo, scene) { delegate.scene(scene, replyTo: message) }
  }

  package func scene(
    _ scene: isolated Scene, streamReplyTo message: SceneMessage, into reply: ReplyStream
  ) {
    pass(.streamReplyTo, scene) {
      guard let delegate = delegate as? any ClientSceneDelegate else {
        scene.isUnhandled = true
        return
      }
      delegate.scene(scene, streamReplyTo: message, into: reply)
    }
  }

  package func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    pass(.renderAfter, scene) {
      (delegate as? any ClientSceneDelegate)?.scene(scene, renderAfter: reset)
    }
  }
}
