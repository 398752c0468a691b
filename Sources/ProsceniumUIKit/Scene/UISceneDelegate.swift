// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a program does with its scenes.
///
/// All methods are optional in UIKit; here they have default implementations. Whether a delegate
/// has one counts where the rules say so (R-SR-4, R-LEG-3).
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
  /// Tells the delegate that its scene is being connected to a session (semantics#connection).
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)

  /// Tells the delegate that the scene is being released.
  func sceneDidDisconnect(_ scene: UIScene)

  /// Tells the delegate that the scene is active now.
  func sceneDidBecomeActive(_ scene: UIScene)

  /// Tells the delegate that the scene is about to stop being active.
  func sceneWillResignActive(_ scene: UIScene)

  /// Tells the delegate that the scene is about to be seen.
  func sceneWillEnterForeground(_ scene: UIScene)

  /// Tells the delegate that the scene is no longer seen; the state capture follows.
  func sceneDidEnterBackground(_ scene: UIScene)

  /// Gives the connected scene URLs that were opened (R-FG-3).
  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)

  /// Asks for the state to restore the scene from; nil clears what was saved before (R-SR-3).
  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?

  /// Gives the delegate the activity that was captured, before the scene is first seen
  /// (semantics#connection).
  func scene(
    _ scene: UIScene,
    restoreInteractionStateWith stateRestorationActivity: NSUserActivity)

  /// Tells the delegate that an activity of another device will follow (semantics#hand-off).
  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)

  /// Gives the connected scene an activity (R-FG-3).
  func scene(_ scene: UIScene, continue userActivity: NSUserActivity)

  /// Tells the delegate that the announced activity does not follow (semantics#hand-off).
  func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error)

  /// Tells the delegate what was captured, after everything was written to it (R-BG-1).
  func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity)
}

extension UISceneDelegate {
  /// Does nothing.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}

  /// Does nothing.
  public func sceneDidDisconnect(_ scene: UIScene) {}

  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: UIScene) {}

  /// Does nothing.
  public func sceneWillResignActive(_ scene: UIScene) {}

  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: UIScene) {}

  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: UIScene) {}

  /// Reports the URLs as unhandled (R-LEG-3).
  public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    scene.isUnhandled = true
  }

  /// Leaves the saved state as it is (R-SR-4).
  public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    scene.isUnhandled = true
    return nil
  }

  /// Does nothing.
  public func scene(
    _ scene: UIScene,
    restoreInteractionStateWith stateRestorationActivity: NSUserActivity
  ) {}

  /// Does nothing.
  public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {}

  /// Reports the activity as unhandled (R-LEG-3).
  public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    scene.isUnhandled = true
  }

  /// Leaves it to the runtime to report the failure (semantics#hand-off).
  public func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    scene.isUnhandled = true
  }

  /// Does nothing.
  public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {}
}
