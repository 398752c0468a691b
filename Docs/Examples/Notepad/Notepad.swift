// SPDX-License-Identifier: Apache-2.0

import Proscenium

final class Notepad: SceneDelegate {
  var text = ""

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.userInfo["text"]?.string ?? ""
    print("connected with \"\(text)\"")
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += message.string
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    UserActivity("notepad", userInfo: ["text": .string(text)])
  }
}

@main struct Demo {
  static func main() async throws {
    try await Application.withRunning(manifest: [.init("Notepad", Notepad.init)]) { application in
      let session = try await application.activateSceneSession()
      try application.send("Hello", to: session.id)
      try await application.host.perform(.background(session.id))  // its state is captured
      try await application.host.perform(.disconnect(session.id))  // the session stays
      try await application.activateSceneSession(for: .init(session: session))  // a new scene
    }  // what changed is captured, and the application ends
  }
}
