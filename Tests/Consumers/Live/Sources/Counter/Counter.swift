// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumLive
import ProsceniumSQLite

final class Counter: LivePageDelegate {
  let page = LivePage()
  private var count: Int64 = 0

  /// What the tab shows.
  func render(_ page: inout PageBuilder, of scene: isolated Scene) {
    page.add(.h1, "Counter")
    page.add(.p, "\(count)", id: "count", .announced)
    page.add(.button, "One more", .onClick("add"))
  }

  /// What the user does: the name is the one of the button.
  func scene(_ scene: isolated Scene, didReceive input: PageInput) {
    guard input.name == "add" else { return }
    count += 1
    scene.setNeedsCapture()
  }

  /// What is kept of the session, and what a new scene begins with.
  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    UserActivity("counter", userInfo: ["count": .integer(count)])
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    count = session.stateRestorationActivity?.userInfo["count"]?.integer ?? 0
  }
}

@main struct Program {
  static func main() async throws {
    let key = FileKeyProvider(path: "counter.key", createsIfMissing: true)
    let store = try SQLiteSessionStore(path: "counter.store", key: key)
    var settings = ApplicationSettings()
    settings.durability = .everyEvent  // what the tab was told is on the disk
    let manifest: SceneManifest = [SceneConfiguration("Counter", Counter.init)]
    try await Application.withRunning(manifest: manifest, store: store, settings: settings) {
      application in
      let server = LiveServer(application, LiveSettings(keys: key))
      try await server.run { url in print("open \(url)") }
    }
  }
}
