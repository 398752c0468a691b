// SPDX-License-Identifier: Apache-2.0

import Proscenium

@main struct Reception {
  static func main() async throws {
    let (book, defaults, screen) = (GuestBook(), Defaults(.asSigned), Screen())
    let manifest: SceneManifest = [
      SceneConfiguration("Guests") { GuestWindow(book, defaults, screen) }
    ]
    try await Application.withRunning(manifest: manifest) { application in
      let refresher = ArchiveRefresher(
        application: application, events: book.observe().events, screen: screen)
      async let _ = refresher.run()

      var windows: [SceneSession] = []
      for place in ["door", "hall", "kitchen"] {
        let activity = UserActivity("open", title: place)
        windows.append(
          try await application.activateSceneSession(for: .init(userActivity: activity)))
      }
      await screen.next(3, "Three windows are opened.")

      try application.send("Zoe", to: windows[0].id)
      await screen.next(4, "Zoe signs at the door: all windows hear of it, the door's as well.")

      try application.send("Ada", to: windows[1].id)
      await screen.next(4, "Ada signs in the hall.")

      defaults.change { order in
        order = .alphabetical
        return order
      }
      await screen.next(3, "The user sorts by name, for all windows.")

      try await application.host.perform(.background(windows[2].id))
      try await application.host.perform(.disconnect(windows[2].id))
      try application.send("-Zoe", to: windows[0].id)
      await screen.next(4, "Zoe leaves, while the kitchen's window is not in memory.")
      await application.settle()
      let snapshot = application.session(windows[2].id)?.snapshot() ?? []
      print("  its picture in the switcher: \(String(decoding: snapshot, as: UTF8.self))")
    }
  }
}
