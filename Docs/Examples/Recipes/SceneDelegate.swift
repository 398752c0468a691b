// SPDX-License-Identifier: Apache-2.0

import UIKit

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  let controller = RecipeViewController()
  private(set) var isCooking = false
  private(set) var isWaitingForOtherDevice = false
  private(set) var failure: String?

  static let activityType = "recipes.show"

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let windowScene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: windowScene)
    window.rootViewController = UINavigationController(rootViewController: controller)
    window.makeKeyAndVisible()
    self.window = window
    isWaitingForOtherDevice = connectionOptions.handoffUserActivityType != nil

    if let url = connectionOptions.urlContexts.first?.url {
      show(url, in: scene)
    } else if let item = connectionOptions.shortcutItem {
      show(item.type, in: scene)
    } else if let activity = connectionOptions.userActivities.first
      ?? session.stateRestorationActivity
    {
      show(activity, in: scene)
    } else if let response = connectionOptions.notificationResponse {
      show(response.notification.request.identifier, in: scene)
    }
  }

  // MARK: - Life

  func sceneDidBecomeActive(_ scene: UIScene) {
    isCooking = true
  }

  func sceneWillResignActive(_ scene: UIScene) {
    isCooking = false
  }

  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    controller.userActivity
  }

  // MARK: - Events

  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    guard let url = URLContexts.first?.url else { return }
    show(url, in: scene)
  }

  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    isWaitingForOtherDevice = true
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    isWaitingForOtherDevice = false
    show(userActivity, in: scene)
  }

  func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
    error: Error
  ) {
    isWaitingForOtherDevice = false
    failure = error.localizedDescription
  }

  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    show(shortcutItem.type, in: windowScene)
    completionHandler(true)
  }

  // MARK: - What is shown

  private func show(_ url: URL, in scene: UIScene) {
    show((url.scheme == "recipes" ? url.host() : nil) ?? url.lastPathComponent, in: scene)
  }

  private func show(_ activity: NSUserActivity, in scene: UIScene) {
    if let url = activity.webpageURL { return show(url, in: scene) }
    guard let recipe = activity.userInfo?["recipe"] as? String else { return }
    show(recipe, in: scene)
    if let servings = activity.userInfo?["servings"] as? Int { controller.servings = servings }
  }

  /// Shows a recipe, and lets the system bring links to it to this window.
  func show(_ recipe: String, in scene: UIScene) {
    controller.show(recipe)
    scene.title = recipe
    let activity = NSUserActivity(activityType: Self.activityType)
    activity.targetContentIdentifier = "recipes://\(recipe)"
    activity.addUserInfoEntries(from: ["recipe": recipe, "servings": controller.servings])
    controller.userActivity = activity
    let conditions = scene.activationConditions
    conditions.canActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)
    conditions.prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(
      format: "SELF == %@", "recipes://\(recipe)")
    scene.activationConditions = conditions
  }
}

/// What a display on the wall shows, which takes no input.
class WallSceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  private(set) var isSeen = false
  private(set) var wasActive = false

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let windowScene = scene as? UIWindowScene else { return }
    window = UIWindow(windowScene: windowScene)
    window?.isHidden = false
  }

  func sceneWillEnterForeground(_ scene: UIScene) {
    isSeen = true
  }

  func sceneDidBecomeActive(_ scene: UIScene) {
    wasActive = true
  }
}
