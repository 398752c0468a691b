// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Chooses the kind of each new window, and clears up after those that are gone for good.
final class TownDelegate: ConfiguringApplicationDelegate {
  private let town: Town

  init(_ town: Town) {
    self.town = town
  }

  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    SceneConfiguration(name: options.clown == nil ? "List" : "Editor", sessionRole: session.role)
  }

  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    // The draft goes with its window; the document about the clown never does.
    for session in sessions { town.drafts[session.draftName] = nil }
  }

  /// An answer to a notification about a clown whose window is there: it has come to the front.
  func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene
  ) {}
}

extension SceneManifest {
  /// The two kinds of windows; a new one is a list unless the delegate says otherwise.
  static func clownTown(_ town: Town) -> SceneManifest {
    [
      SceneConfiguration("List") { ClownList(town) },
      SceneConfiguration("Editor") { ClownEditor(town) },
    ]
  }
}
