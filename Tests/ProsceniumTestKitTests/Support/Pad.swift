// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A window with a text that grows by messages and is restored.
final class Pad: SceneDelegate {
  var text = ""

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    scene.title = options.userActivities.first?.title ?? scene.title
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    text = activity.userInfo["text"]?.string ?? ""
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += message.string
    if message == "hold" { scene.extendStateRestoration() }
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    UserActivity("pad", userInfo: ["text": .string(text)])
  }
}

/// A window that waits for something before it is shown.
final class SlowPad: SceneDelegate {
  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    scene.extendStateRestoration()
  }
}

/// A window that does nothing at all.
final class BlankPad: SceneDelegate {}

/// An application delegate that opens a blank window for the activity `blank`, otherwise a pad.
final class PadDelegate: ConfiguringApplicationDelegate {
  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    let type = options.userActivities.first?.activityType
    return SceneConfiguration(name: type == "blank" ? "Blank" : "Pad", sessionRole: session.role)
  }
}

extension SceneManifest {
  static let pads: SceneManifest = [.init("Pad", Pad.init), .init("Blank", BlankPad.init)]
}
