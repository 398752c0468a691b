// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What an application delegate does in addition to logging its callbacks.
struct ApplicationScript: Sendable {
  typealias Choice =
    @Sendable (isolated Application, SceneSession, Scene.ConnectionOptions) -> SceneConfiguration

  /// By name: `didFinishLaunching`.
  var actions: [String: @Sendable (isolated Application) -> Void] = [:]
  /// Reads the sessions of a discard while the delegate is told of it.
  var onDiscard: (@Sendable (isolated Application, [SceneSession]) -> Void)?
  /// Chooses configurations; without it the delegate is never asked.
  var choose: Choice?

  func makeDelegate(_ log: CallLog) -> any ApplicationDelegate {
    choose == nil
      ? ScriptedApplicationDelegate(log, self) : ChoosingApplicationDelegate(log, self)
  }
}

/// An application delegate that logs each callback and then follows a script.
class ScriptedApplicationDelegate: ApplicationDelegate {
  fileprivate let log: CallLog
  fileprivate let script: ApplicationScript

  init(_ log: CallLog, _ script: ApplicationScript) {
    self.log = log
    self.script = script
  }

  private func note(_ application: isolated Application, _ callback: String) {
    log.append("app.\(callback)")
    script.actions[callback]?(application)
  }

  func applicationWillFinishLaunching(_ application: isolated Application) {
    note(application, "willFinishLaunching")
  }

  func applicationDidFinishLaunching(_ application: isolated Application) {
    note(application, "didFinishLaunching")
  }

  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    log.append("app.didDiscard(\(sessions.map(\.id.label).joined(separator: ", ")))")
    script.onDiscard?(application, sessions)
  }

  func applicationWillTerminate(_ application: isolated Application) {
    note(application, "willTerminate")
  }
}

/// One that chooses the configurations of new sessions as well.
final class ChoosingApplicationDelegate: ScriptedApplicationDelegate,
  ConfiguringApplicationDelegate
{
  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    let titles = options.userActivities.map { ", \($0.title ?? "")" }
    log.append("app.configuration(\(session.id.label)\(titles.joined()))")
    return script.choose?(application, session, options) ?? session.configuration
  }
}
