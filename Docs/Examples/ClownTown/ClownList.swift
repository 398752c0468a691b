// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// The window with the names of all clowns.
final class ClownList: SceneDelegate {
  private let town: Town

  init(_ town: Town) {
    self.town = town
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    scene.title = "Clowns"
    // Events about a clown are not for this window.
    scene.activationConditions = SceneActivationConditions(can: .false)
  }

  /// The user picks a name: an editor opens, or the one that shows the clown comes to the front.
  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    let request = SceneSessionActivationRequest(
      userActivity: .editing(message.string),
      options: .init(requestingScene: scene.persistentIdentifier))
    scene.application.submit(.activate(request))
  }

  /// What the user sees.
  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    SceneMessage(town.clowns.names.joined(separator: ", "))
  }
}
