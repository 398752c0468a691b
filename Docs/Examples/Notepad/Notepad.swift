// SPDX-License-Identifier: Apache-2.0

import Proscenium

final class Notepad: StatefulSceneDelegate {
  private var text = ""

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += message.string
  }

  func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    state.write("text", text)
  }

  func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    text = state.string("text") ?? ""
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) {
    print("the notepad shows \"\(text)\"")
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
