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
      let session = try await application.requestSceneSessionActivation(nil)
      try application.send("Hello", to: session)
      try await application.host.background(session)  // the scene's state is captured
      try await application.host.disconnect(session)  // the scene is gone, the session stays
      try await application.requestSceneSessionActivation(session)  // a new scene restores it
    }  // what changed is captured, and the application ends
  }
}
