// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// A window in which one clown is edited; what is typed is a draft until it is saved.
final class ClownEditor: SceneDelegate {
  private let town: Town
  private var clown = ""
  private var text = ""

  init(_ town: Town) {
    self.town = town
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    // What the user has just asked for counts more than what the window showed before.
    clown = options.clown ?? session.stateRestorationActivity?.clown ?? "unnamed"
    text = town.drafts[session.draftName] ?? town.clowns[clown] ?? ""
    scene.title = clown
    scene.activationConditions = Self.conditions(for: clown)
  }

  /// The window shows one clown, and should get everything about it.
  private static func conditions(for clown: String) -> SceneActivationConditions {
    guard let isShown = try? ContentPredicate.equals("clown:\(clown)") else {
      return SceneActivationConditions(can: .false)  // a name of over 4,096 bytes
    }
    return SceneActivationConditions(can: isShown, prefers: isShown)
  }

  /// The user types, or saves.
  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    if message == "save" {
      town.clowns[clown] = text
      town.drafts[scene.session.draftName] = nil
    } else {
      text += message.string
      town.drafts[scene.session.draftName] = text
    }
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    .editing(clown)
  }

  /// A URL about this clown: the window shows it already.
  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {}

  /// What the user sees.
  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    SceneMessage(text)
  }
}

extension SceneSession {
  /// The draft belongs to the window, hence to the session: the one thing that stays the same when
  /// the scene, the process and the clown that is shown do not.
  var draftName: String { "draft-\(persistentIdentifier)" }
}
