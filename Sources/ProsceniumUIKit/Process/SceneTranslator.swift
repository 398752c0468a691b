// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Tells the program's scene delegate what the runtime's is told, with UIKit's objects.
///
/// It runs on the scene, which has leased the main actor's executor.
final class SceneTranslator: SceneDelegate, Sendable {
  private let program: UIKitProgram
  private let make: @MainActor @Sendable () -> any UISceneDelegate

  init(
    of program: UIKitProgram, making make: @escaping @MainActor @Sendable () -> any UISceneDelegate
  ) {
    self.program = program
    self.make = make
  }

  /// Calls the delegate; reports what it does not implement.
  private func tell(
    _ scene: isolated Scene, _ body: @MainActor (any UISceneDelegate, UIScene) -> Void
  ) {
    let session = scene.persistentIdentifier
    let isHandled = MainActor.assumeIsolated {
      guard let object = program.application?.objects.scene(session),
        let delegate = object.delegate
      else { return false }
      program.callCount += 1
      object.isUnhandled = false
      body(delegate, object)
      return !object.isUnhandled
    }
    if !isHandled { scene.leaveUnhandled() }
  }

  /// Calls the delegate of a scene with windows.
  private func tellWindow(
    _ scene: isolated Scene, _ body: @MainActor (any UIWindowSceneDelegate, UIWindowScene) -> Void
  ) {
    tell(scene) { delegate, object in
      guard let delegate = delegate as? any UIWindowSceneDelegate,
        let object = object as? UIWindowScene
      else {
        object.isUnhandled = true
        return
      }
      body(delegate, object)
    }
  }

  // MARK: - The life cycle

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    let identifier = session.persistentIdentifier
    MainActor.assumeIsolated {
      guard let application = program.application,
        let object = application.objects.scene(identifier)
      else { return }
      let delegate = make()
      object.delegate = delegate
      let storyboard =
        application.objects[storyboardOf: identifier] ?? object.session.configuration.storyboard
      let window = storyboard.flatMap { (object as? UIWindowScene)?.window(showing: $0, delegate) }
      let options = application.objects.options(options, of: identifier, isLast: true)
      delegate.scene(object, willConnectTo: object.session, options: options)
      window?.makeKeyAndVisible()
    }
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    tell(scene) { delegate, object in
      let saved = object.session.stateRestorationActivity ?? NSUserActivity(activity)
      delegate.scene(object, restoreInteractionStateWith: saved)
    }
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    tell(scene) { $0.sceneWillEnterForeground($1) }
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    tell(scene) { $0.sceneDidBecomeActive($1) }
  }

  func sceneWillResignActive(_ scene: isolated Scene) {
    tell(scene) { $0.sceneWillResignActive($1) }
  }

  func sceneDidEnterBackground(_ scene: isolated Scene) {
    tell(scene) { $0.sceneDidEnterBackground($1) }
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    tell(scene) { $0.sceneDidDisconnect($1) }
  }

  // MARK: - State

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    tell(scene) { delegate, object in
      object.captured = delegate.stateRestorationActivity(for: object)
    }
    let session = scene.persistentIdentifier
    return MainActor.assumeIsolated {
      program.application?.objects.scene(session)?.captured.map { CapturedActivity($0).value }
    }
  }

  func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity) {
    let session = scene.persistentIdentifier
    let updated = MainActor.assumeIsolated { () -> UserActivity? in
      guard let object = program.application?.objects.scene(session),
        let captured = object.captured
      else { return nil }
      object.updateResponders(of: captured)
      return captured.value
    }
    if let updated { activity = updated }
  }

  func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) {
    tell(scene) { delegate, object in
      guard let captured = object.captured else { return }
      object.captured = nil
      captured.needsSave = false
      delegate.scene(object, didUpdate: captured)
    }
  }

  // MARK: - Events

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    tell(scene) { delegate, object in
      let contexts = Set(contexts.compactMap(UIOpenURLContext.init))
      if !contexts.isEmpty { delegate.scene(object, openURLContexts: contexts) }
    }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    tell(scene) { $0.scene($1, continue: NSUserActivity(activity)) }
  }

  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String) {
    tell(scene) { $0.scene($1, willContinueUserActivityWithType: activityType) }
  }

  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    tell(scene) {
      $0.scene($1, didFailToContinueUserActivityWithType: activityType, error: error)
    }
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    tellWindow(scene) { delegate, object in
      let item = UIApplicationShortcutItem(item)
      delegate.windowScene(object, performActionFor: item) { _ in }
    }
  }

  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    tellWindow(scene) {
      $0.windowScene($1, userDidAcceptCloudKitShareWith: CKShare.Metadata(metadata))
    }
  }
}

/// An activity that is being captured, which its delegate may still change.
@MainActor
private final class CapturedActivity {
  private let object: NSUserActivity

  init(_ object: NSUserActivity) {
    self.object = object
  }

  /// The activity as the runtime takes it, which keeps the object and not the scene.
  var value: UserActivity {
    var value = object.value
    value.willSave = { [self] value in
      value = MainActor.assumeIsolated {
        object.delegate?.userActivityWillSave(object)
        return object.value
      }
    }
    return value
  }
}

extension UIWindowScene {
  /// Makes the window that a storyboard shows at first, for a delegate that finds it set.
  fileprivate func window(
    showing storyboard: UIStoryboard, _ delegate: any UISceneDelegate
  ) -> UIWindow? {
    guard let delegate = delegate as? any UIWindowSceneDelegate else { return nil }
    let window = UIWindow(windowScene: self)
    window.rootViewController = storyboard.instantiateInitialViewController()
    delegate.window = window
    return window
  }
}

extension UIScene {
  /// R-UA-1: the responders that have an activity which needs to be saved write to it.
  fileprivate func updateResponders(of activity: NSUserActivity) {
    guard activity.needsSave else { return }
    let windows = (self as? UIWindowScene)?.windows ?? []
    let responders = ([self] + windows.flatMap(\.respondersBelow)).filter {
      $0.userActivity === activity
    }
    guard !responders.isEmpty else { return }
    activity.empty()
    for responder in responders { responder.updateUserActivityState(activity) }
  }
}
