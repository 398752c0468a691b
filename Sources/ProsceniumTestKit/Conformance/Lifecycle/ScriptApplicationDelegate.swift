// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

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
