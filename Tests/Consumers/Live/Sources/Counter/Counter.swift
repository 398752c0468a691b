// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumLive
import ProsceniumSQLite

final class Counter: LivePageDelegate, StatefulSceneDelegate {
  let page = LivePage()
  private var count = 0

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

  /// What is kept of the session.
  func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    state.write("count", count)
  }

  /// What a new scene begins with.
  func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    count = state.integer("count") ?? 0
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
