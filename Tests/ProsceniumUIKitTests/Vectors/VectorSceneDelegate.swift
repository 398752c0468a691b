// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives

@testable import ProsceniumTestKit
@testable import ProsceniumUIKit

/// A scene delegate of UIKit's that logs what it is told and does what its script says.
class VectorSceneDelegate: NSObject, UIWindowSceneDelegate, NSUserActivityDelegate {
  private struct Bound {
    let label: SceneLabel
    let script: DelegateScript
  }

  /// A delegate without methods: what it does with a call is what UIKit does without the method.
  private final class Plain: NSObject, UIWindowSceneDelegate {}

  private static let plain = Plain()

  private let program: UIKitVectorProgram
  private let token: DelegateToken
  private var bound: Bound?
  private weak var scene: UIScene?

  private var recorder: LifecycleRecorder { program.recorder }

  required init(of program: UIKitVectorProgram) {
    self.program = program
    token = DelegateToken(delegateClass: "\(Self.self)")
    super.init()
  }

  /// The scene that the delegate was made for: the first one that it hears of.
  private func bound(_ scene: UIScene) -> Bound? {
    if let bound {
      if self.scene !== scene { recorder.note("\(bound.label): expected one object for a scene") }
      return bound
    }
    guard let core = scene.core else { return nil }
    self.scene = scene
    let label = recorder.label(of: core)
    recorder.state.withLock { $0.book.setDelegate(token, of: label) }
    bound = Bound(
      label: label,
      script: program.parts.scripts.script(label.session, delegateClass: token.delegateClass))
    return bound
  }

  /// Logs a call and does what the script says.
  ///
  /// - Parameters:
  ///   - method: The method that was called.
  ///   - arguments: What it was given, as the log has it.
  ///   - scene: The scene.
  ///   - absent: What happens without the method.
  private func call(
    _ method: DelegateScript.Method, _ arguments: String, _ scene: UIScene,
    else absent: (Plain) -> Void
  ) {
    guard let bound = bound(scene), recorder.isRecording else { return }
    guard !bound.script.absent.contains(method) else { return absent(Self.plain) }
    recorder.log("\(method.rawValue)\(arguments)", of: bound.label) { state(of: scene) }
    program.check("\(bound.label).\(method.rawValue)")
    perform(bound.script.actions[method], scene)
  }

  private func perform(_ actions: [DelegateScript.Action]?, _ scene: UIScene) {
    for action in actions ?? [] {
      do throws(Refusal) {
        switch action {
        case .extendStateRestoration: scene.extendStateRestoration()
        case .completeStateRestoration: scene.completeStateRestoration()
        case .setActivationConditions(let change): try scene.set(change)
        case .setUserInfo(let value): try scene.session.set(value)
        }
      } catch {
        recorder.fail(error)
      }
    }
  }

  /// What can be read of the scene by UIKit's names.
  private func state(of scene: UIScene) -> SceneState? {
    let state = Scene.ActivationState(rawValue: Int8(scene.activationState.rawValue))
    return state.map { state in
      SceneState(
        activationState: state, delegateClass: scene.delegate.map { "\(type(of: $0))" },
        sceneClass: scene.core?.assumeIsolated { $0.sceneClass }, session: scene.session.value)
    }
  }

  // MARK: - The life cycle

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    if scene.session !== session { recorder.note("expected the session of the scene") }
    program.check(connectionOptions, of: session)
    call(.willConnect, "(\(LogText.options(connectionOptions.options)))", scene) {
      $0.scene(scene, willConnectTo: session, options: connectionOptions)
    }
  }

  func scene(
    _ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity
  ) {
    let activity = stateRestorationActivity
    call(.restoreInteractionState, "(\(LogText.label(activity.value)))", scene) {
      $0.scene(scene, restoreInteractionStateWith: activity)
    }
  }

  func sceneWillEnterForeground(_ scene: UIScene) {
    call(.willEnterForeground, "", scene) { $0.sceneWillEnterForeground(scene) }
  }

  func sceneDidBecomeActive(_ scene: UIScene) {
    call(.didBecomeActive, "", scene) { $0.sceneDidBecomeActive(scene) }
  }

  func sceneWillResignActive(_ scene: UIScene) {
    call(.willResignActive, "", scene) { $0.sceneWillResignActive(scene) }
  }

  func sceneDidEnterBackground(_ scene: UIScene) {
    call(.didEnterBackground, "", scene) { $0.sceneDidEnterBackground(scene) }
  }

  func sceneDidDisconnect(_ scene: UIScene) {
    call(.didDisconnect, "", scene) { $0.sceneDidDisconnect(scene) }
  }

  // MARK: - State

  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    guard let bound = bound(scene), recorder.isRecording,
      !bound.script.absent.contains(.stateRestorationActivity)
    else { return Self.plain.stateRestorationActivity(for: scene) }
    perform(bound.script.actions[.stateRestorationActivity], scene)
    let activity = bound.script.stateRestorationActivity.map { program.activity($0) }
    activity?.delegate = self
    let label = LogText.label(activity?.value)
    recorder.log("stateRestorationActivity -> \(label)", of: bound.label) { state(of: scene) }
    program.check("\(bound.label).stateRestorationActivity")
    return activity
  }

  func userActivityWillSave(_ userActivity: NSUserActivity) {
    guard let bound else { return }
    recorder.log("activityWillSave(\(LogText.label(userActivity.value)))", of: bound.label) {
      scene.flatMap { state(of: $0) }
    }
  }

  func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
    call(.didUpdate, "(\(LogText.label(userActivity.value)))", scene) {
      $0.scene(scene, didUpdate: userActivity)
    }
  }

  // MARK: - Events

  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    let urls = LogText.list(URLContexts.map(\.url.absoluteString))
    call(.openURLContexts, "{\(urls)}", scene) { $0.scene(scene, openURLContexts: URLContexts) }
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    call(.continue, "(\(LogText.label(userActivity.value)))", scene) {
      $0.scene(scene, continue: userActivity)
    }
  }

  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    call(.willContinue, "(\(LogText.atom(userActivityType)))", scene) {
      $0.scene(scene, willContinueUserActivityWithType: userActivityType)
    }
  }

  func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    call(.didFailToContinue, "(\(LogText.atom(userActivityType)))", scene) {
      $0.scene(scene, didFailToContinueUserActivityWithType: userActivityType, error: error)
    }
  }

  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    call(.performAction, "(\(LogText.atom(shortcutItem.type)))", windowScene) {
      $0.windowScene(
        windowScene, performActionFor: shortcutItem, completionHandler: completionHandler)
    }
  }

  func windowScene(
    _ windowScene: UIWindowScene,
    userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) {
    let metadata = cloudKitShareMetadata
    call(.userDidAcceptShare, "(\(LogText.atom(metadata.value.identifier)))", windowScene) {
      $0.windowScene(windowScene, userDidAcceptCloudKitShareWith: metadata)
    }
  }
}

extension UIScene.ConnectionOptions {
  /// The options as the log and the rules of the vectors have them.
  var options: Scene.ConnectionOptions {
    var options = Scene.ConnectionOptions()
    options.urlContexts = urlContexts.map { OpenURLContext($0.url.absoluteString) }
    options.handoffUserActivityType = handoffUserActivityType
    options.userActivities = userActivities.map(\.value)
    options.notificationResponse = notificationResponse.map {
      NotificationResponse($0.notification.request.identifier)
    }
    options.shortcutItem = shortcutItem?.value
    options.shareMetadata = cloudKitShareMetadata?.value
    return options
  }
}

// What a suite asks the runtime's scene for.
extension SceneTranslator: NamedSceneDelegate {
  func delegateClass(of scene: isolated Scene) -> String {
    let session = scene.persistentIdentifier
    return MainActor.assumeIsolated {
      let delegate = UIApplication.current?.objects.scene(session)?.delegate
      return delegate.map { "\(type(of: $0))" } ?? "none"
    }
  }
}
