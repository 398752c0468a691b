// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

// What is posted about a scene after its delegate was told (R-FG-1, R-FG-2); the object is the
// scene.
extension UIScene {
  /// The scene was connected.
  public nonisolated static let willConnectNotification = NSNotification.Name(
    "UISceneWillConnectNotification")

  /// The scene was disconnected.
  public nonisolated static let didDisconnectNotification = NSNotification.Name(
    "UISceneDidDisconnectNotification")

  /// The scene is active.
  public nonisolated static let didActivateNotification = NSNotification.Name(
    "UISceneDidActivateNotification")

  /// The scene is about to stop being active.
  public nonisolated static let willDeactivateNotification = NSNotification.Name(
    "UISceneWillDeactivateNotification")

  /// The scene is about to be seen.
  public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
    "UISceneWillEnterForegroundNotification")

  /// The scene is no longer seen.
  public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
    "UISceneDidEnterBackgroundNotification")

  /// The name of a notification of the runtime.
  nonisolated static func name(
    of notification: LifecycleEvent.SceneNotification
  ) -> NSNotification.Name {
    switch notification {
    case .willConnect: willConnectNotification
    case .didDisconnect: didDisconnectNotification
    case .willEnterForeground: willEnterForegroundNotification
    case .didActivate: didActivateNotification
    case .willDeactivate: willDeactivateNotification
    case .didEnterBackground: didEnterBackgroundNotification
    }
  }
}
