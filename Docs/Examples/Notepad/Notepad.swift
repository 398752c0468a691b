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
    let application = Application(manifest: [.init("Notepad", Notepad.init)])
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await application.run() }

      let session = try await application.requestSceneSessionActivation(nil)
      try application.send("Hello", to: session)
      try await application.host.background(session)  // the scene's state is captured
      try await application.host.disconnect(session)  // the scene is gone, the session stays
      _ = try await application.requestSceneSessionActivation(session)  // a new scene restores it

      group.cancelAll()  // run() captures what changed, and returns
    }
  }
}
