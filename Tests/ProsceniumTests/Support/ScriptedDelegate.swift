// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What scenes do in their callbacks in addition to logging them, by name: `S1.willConnect`.
typealias Script = [String: @Sendable (isolated Scene) -> Void]

/// A delegate that logs each callback with the state that it sees, and then follows a script.
///
/// The line is written at entry: `S1.willConnect U`, with a letter for the state.
final class ScriptedDelegate: SceneDelegate {
  private let log: CallLog
  private let script: Script
  private let state: UserActivity?

  /// Makes a delegate that returns `state` at each state capture.
  init(_ log: CallLog, _ script: Script = [:], state: UserActivity? = nil) {
    self.log = log
    self.script = script
    self.state = state
  }

  private func note(_ scene: isolated Scene, _ callback: String, _ argument: String? = nil) {
    let name = "\(scene.persistentIdentifier.label).\(callback)"
    let suffix = argument.map { "(\($0))" } ?? ""
    log.append("\(name)\(suffix) \(scene.activationState.letter)")
    script[name]?(scene)
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    let titles = options.userActivities.map { $0.title ?? "" }
    note(scene, "willConnect", options.isEmpty ? nil : titles.joined(separator: ", "))
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    note(scene, "restoreInteractionState", activity.title)
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) { note(scene, "willEnterForeground") }
  func sceneDidBecomeActive(_ scene: isolated Scene) { note(scene, "didBecomeActive") }
  func sceneWillResignActive(_ scene: isolated Scene) { note(scene, "willResignActive") }
  func sceneDidEnterBackground(_ scene: isolated Scene) { note(scene, "didEnterBackground") }
  func sceneDidDisconnect(_ scene: isolated Scene) { note(scene, "didDisconnect") }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    note(scene, "capture")
    return state
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(scene, "continue", activity.title)
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    note(scene, "didReceive", message.string)
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    note(scene, "replyTo", message.string)
    return SceneMessage(String(message.string.reversed()))
  }
}

/// A delegate that implements nothing.
final class SilentDelegate: SceneDelegate {}

extension Scene.ActivationState {
  /// The letter of the state: U, B, I or A.
  var letter: String {
    switch self {
    case .unattached: "U"
    case .background: "B"
    case .foregroundInactive: "I"
    case .foregroundActive: "A"
    }
  }
}

extension SessionIdentifier {
  /// The name of a counted identifier in logs: `S1`.
  var label: String {
    "S\(Int(description.suffix(12), radix: 16) ?? 0)"
  }

  /// A counted identifier.
  static func number(_ number: UInt64) -> SessionIdentifier {
    SessionIdentifier(high: 0x4000, low: 0x8000_0000_0000_0000 | number)
  }
}

extension UserActivity {
  /// An activity that is known by its title.
  static func titled(_ title: String, shows identifier: String? = nil) -> UserActivity {
    UserActivity("test.activity", title: title, targetContentIdentifier: identifier)
  }
}
