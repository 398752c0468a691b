// SPDX-License-Identifier: Apache-2.0

/// What a program does with scenes that have windows.
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
  /// The scene's window; one whose configuration names a storyboard finds it set when it connects.
  var window: UIWindow? { get set }

  /// Gives the connected scene a quick action (R-FG-3).
  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)

  /// Gives the connected scene a quick action, in the form of an asynchronous function.
  ///
  /// - Returns: Whether the action was performed.
  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
  ) async -> Bool

  /// Gives the connected scene an accepted share.
  func windowScene(
    _ windowScene: UIWindowScene,
    userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata)
}

extension UIWindowSceneDelegate {
  /// None.
  public var window: UIWindow? {
    get { nil }
    set {}
  }

  /// Calls the asynchronous form.
  public func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    windowScene.session.application?.program.run {
      completionHandler(await self.windowScene(windowScene, performActionFor: shortcutItem))
    }
  }

  /// Reports the quick action as unhandled (R-LEG-3).
  public func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
  ) async -> Bool {
    windowScene.isUnhandled = true
    return false
  }

  /// Reports the share as unhandled (R-LEG-3).
  public func windowScene(
    _ windowScene: UIWindowScene,
    userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) {
    windowScene.isUnhandled = true
  }
}
