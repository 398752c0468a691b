// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumLive

final class Counter: LivePageDelegate {
  let page = LivePage()
  private var count = 0

  func render(_ page: inout PageBuilder, of scene: isolated Scene) {
    page.add(.h1, "Counter")
    page.add(.p, "\(count)", id: "count")
    page.add(.button, "One more", .onClick("add"))
  }

  func scene(_ scene: isolated Scene, didReceive input: PageInput) {
    if input.name == "add" { count += 1 }
  }
}

@main struct Program {
  static func main() async throws {
    let manifest: SceneManifest = [SceneConfiguration("Counter", Counter.init)]
    try await Application.withRunning(manifest: manifest) { application in
      var settings = LiveSettings(keys: .file("counter.key"))
      settings.place = .address("127.0.0.1", port: 8_080)
      try await LiveServer(application, settings).run { url in print("open \(url)") }
    }
  }
}
