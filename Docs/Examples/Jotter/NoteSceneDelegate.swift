// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  import UIKit

  final class NoteSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    let note = NoteWindow()

    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      note.open(connectionOptions.opening, saved: session.stateRestorationActivity?.texts)
      show(in: scene)
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
      for context in URLContexts { note.show(Opening(context.url.absoluteString)) }
      show(in: scene)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
      note.show(Opening(userActivity.targetContentIdentifier))
      show(in: scene)
    }

    func windowScene(
      _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
      completionHandler: @escaping (Bool) -> Void
    ) {
      completionHandler(note.perform(shortcutItem.type))
    }

    func sceneDidBecomeActive(_ scene: UIScene) { note.startReading() }
    func sceneWillResignActive(_ scene: UIScene) { note.stopReading() }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
      NSUserActivity(note)
    }

    private func show(in scene: UIScene) {
      scene.title = note.name
      let conditions = UISceneActivationConditions()
      conditions.prefersToActivateForTargetContentIdentifierPredicate =
        NSPredicate(format: "SELF == %@", note.identifier)
      scene.activationConditions = conditions
    }
  }
#else
  import Proscenium
  import ProsceniumPredicate

  final class NoteSceneDelegate: SceneDelegate {
    let note = NoteWindow()

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options connectionOptions: Scene.ConnectionOptions
    ) {
      note.open(connectionOptions.opening, saved: session.stateRestorationActivity?.texts)
      show(in: scene)
    }

    func scene(_ scene: isolated Scene, openURLContexts URLContexts: [OpenURLContext]) {
      for context in URLContexts { note.show(Opening(context.url)) }
      show(in: scene)
    }

    func scene(_ scene: isolated Scene, continue userActivity: UserActivity) {
      note.show(Opening(userActivity.targetContentIdentifier))
      show(in: scene)
    }

    func scene(_ scene: isolated Scene, performActionFor shortcutItem: ShortcutItem) {
      _ = note.perform(shortcutItem.type)
    }

    func sceneDidBecomeActive(_ scene: isolated Scene) { note.startReading() }
    func sceneWillResignActive(_ scene: isolated Scene) { note.stopReading() }

    func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
      UserActivity(note)
    }

    private func show(in scene: isolated Scene) {
      scene.title = note.name
      guard let isShown = try? ContentPredicate(format: "SELF == %@", note.identifier) else {
        return  // a name of over 4,096 bytes
      }
      scene.activationConditions = SceneActivationConditions(prefers: isShown)
    }
  }
#endif
