// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// A scene delegate that logs what it is told and does what its script says.
final class ScriptDelegate: SceneDelegate, NamedSceneDelegate {
  private struct Bound {
    let label: SceneLabel
    let script: DelegateScript
  }

  private let token: DelegateToken
  private let recorder: LifecycleRecorder
  private let scripts: SceneScripts
  private let activities: VectorActivities
  private var bound: Bound?

  private var delegateClass: String { token.delegateClass }

  func delegateClass(of scene: isolated Scene) -> String { delegateClass }

  init(
    delegateClass: String, recorder: LifecycleRecorder, scripts: SceneScripts,
    activities: VectorActivities
  ) {
    token = DelegateToken(delegateClass: delegateClass)
    self.recorder = recorder
    self.scripts = scripts
    self.activities = activities
  }

  /// The scene that the delegate was made for: the first one that it hears of.
  private func bound(_ scene: Scene) -> Bound {
    if let bound { return bound }
    let label = recorder.label(of: scene)
    recorder.state.withLock { $0.book.setDelegate(token, of: label) }
    let made = Bound(
      label: label, script: scripts.script(label.session, delegateClass: delegateClass))
    bound = made
    return made
  }

  /// Logs a call and does what the script says.
  ///
  /// - Parameters:
  ///   - method: The method that was called.
  ///   - arguments: What it was given, as the log has it.
  ///   - scene: The scene.
  ///   - session: The session that it was given, if it was.
  /// - Returns: Whether the delegate has the method.
  @discardableResult
  private func call(
    _ method: DelegateScript.Method, with arguments: String = "", _ scene: isolated Scene,
    session: SceneSession? = nil
  ) -> Bool {
    let bound = bound(scene)
    guard recorder.isRecording else { return true }
    guard !bound.script.absent.contains(method) else { return false }
    recorder.log("\(method.rawValue)\(arguments)", of: bound.label) {
      scene.stateForSuite(session)
    }
    perform(bound.script.actions[method], scene)
    return true
  }

  /// The same for a method whose default implementation says that it is not there.
  private func callIfPresent(
    _ method: DelegateScript.Method, _ arguments: String, _ scene: isolated Scene
  ) {
    if !call(method, with: arguments, scene) { scene.leaveUnhandled() }
  }

  private func perform(_ actions: [DelegateScript.Action]?, _ scene: isolated Scene) {
    for action in actions ?? [] {
      do throws(Refusal) {
        switch action {
        case .extendStateRestoration: scene.extendStateRestoration()
        case .completeStateRestoration: scene.completeStateRestoration()
        case .setActivationConditions(let change):
          try change.parse()(&scene.activationConditions)
        case .setUserInfo(let value): scene.userInfo = try value.sessionUserInfo()
        }
      } catch {
        recorder.fail(error)
      }
    }
  }

  // MARK: - Callbacks

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    call(.willConnect, with: "(\(LogText.options(options)))", scene, session: session)
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    call(.restoreInteractionState, with: "(\(LogText.label(activity)))", scene)
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) { call(.willEnterForeground, scene) }

  func sceneDidBecomeActive(_ scene: isolated Scene) { call(.didBecomeActive, scene) }

  func sceneWillResignActive(_ scene: isolated Scene) { call(.willResignActive, scene) }

  func sceneDidEnterBackground(_ scene: isolated Scene) { call(.didEnterBackground, scene) }

  func sceneDidDisconnect(_ scene: isolated Scene) { call(.didDisconnect, scene) }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    let bound = bound(scene)
    guard recorder.isRecording, !bound.script.absent.contains(.stateRestorationActivity) else {
      scene.leaveUnhandled()
      return nil
    }
    perform(bound.script.actions[.stateRestorationActivity], scene)
    var activity = bound.script.stateRestorationActivity.map { activities[$0] }
    let recorder = recorder
    let label = bound.label
    // The session keeps the activity, which must not keep the scene.
    activity?.willSave = { [weak scene] activity in
      recorder.log("activityWillSave(\(LogText.label(activity)))", of: label) {
        scene?.stateOnExecutor()
      }
    }
    recorder.log("stateRestorationActivity -> \(LogText.label(activity))", of: label) {
      scene.stateForSuite()
    }
    return activity
  }

  func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) {
    call(.didUpdate, with: "(\(LogText.label(activity)))", scene)
  }

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    callIfPresent(.openURLContexts, "{\(LogText.list(contexts.map(\.url)))}", scene)
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    callIfPresent(.continue, "(\(LogText.label(activity)))", scene)
  }

  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String) {
    call(.willContinue, with: "(\(LogText.atom(activityType)))", scene)
  }

  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    callIfPresent(.didFailToContinue, "(\(LogText.atom(activityType)))", scene)
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    callIfPresent(.performAction, "(\(LogText.atom(item.type)))", scene)
  }

  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    callIfPresent(.userDidAcceptShare, "(\(LogText.atom(metadata.identifier)))", scene)
  }
}

/// A scene delegate that is of the class that a vector says, and not of its own.
protocol NamedSceneDelegate: SceneDelegate {
  /// The name of the class.
  func delegateClass(of scene: isolated Scene) -> String
}

/// An application delegate that logs what it is told.
class ScriptApplicationDelegate: ApplicationDelegate {
  fileprivate let recorder: LifecycleRecorder

  init(recorder: LifecycleRecorder) {
    self.recorder = recorder
  }

  func applicationWillFinishLaunching(_ application: isolated Application) {
    recorder.log("app.willFinishLaunching")
  }

  func applicationDidFinishLaunching(_ application: isolated Application) {
    recorder.log("app.didFinishLaunching(nil)")
  }

  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    recorder.discard(sessions)
  }

  func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene
  ) {
    let label = recorder.label(of: scene)
    recorder.log(
      "app.didReceiveNotification(\(LogText.atom(response.identifier)), \(label))",
      naming: [label.session])
  }

  func applicationWillTerminate(_ application: isolated Application) {
    recorder.log("app.willTerminate")
  }
}

/// The same with the method that chooses configurations.
final class ChoosingScriptApplicationDelegate: ScriptApplicationDelegate,
  ConfiguringApplicationDelegate
{
  private let rules: [VectorSetup.ConfigurationRule]

  init(recorder: LifecycleRecorder, rules: [VectorSetup.ConfigurationRule]) {
    self.rules = rules
    super.init(recorder: recorder)
  }

  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    guard recorder.isRecording else { return session.configuration }
    let label = recorder.label(session.persistentIdentifier)
    recorder.log(
      "app.configurationForConnecting(\(label), \(LogText.options(options)))", naming: [label],
      values: [session])
    guard let rule = rules.first(where: { $0.matches(label, options) }) else {
      return session.configuration
    }
    let returned = rule.configuration(for: session.role)
    recorder.state.withLock { $0.returned[label] = returned }
    return returned
  }
}
