// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A page of the book as a session: it keeps the text that it was sent last.
final class ReplayPageDelegate: SceneDelegate, SendableMetatype {
  private var text = ""

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.userInfo["text"]?.string ?? ""
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text = message.string
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    text.isEmpty ? nil : UserActivity("page", userInfo: ["text": .string(text)])
  }
}

extension SceneSession.Role {
  /// The pages of a replay's book; no request of a user is ever routed to one.
  static let replayBook: Self = "replayBook"
}
