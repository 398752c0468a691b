// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import Proscenium
  import ProsceniumLive
  import ProsceniumSQLite
  import UnixSignals

  /// The server: an application whose sessions are the tabs, with a store in a folder.
  struct BoardHost: Sendable {
    let port: Int
    let folder: String
    let options: Boards.Options

    func run() async throws {
      let key = FileKeyProvider(path: folder + "/key", createsIfMissing: true)
      let store = try SQLiteSessionStore(path: folder + "/boards.store", key: key)
      var settings = ApplicationSettings()
      // What a tab was told is on the disk.
      settings.durability = .everyEvent
      settings.clientRules.gracePeriod = .seconds(options.grace)
      settings.clientRules.expiry = .seconds(options.expiry)
      settings.stateMigrations = try Board.migrations(to: options.release)
      settings.ownerQuota = 200
      let switches = try Switches(folder: folder)
      let manifest: SceneManifest = [
        SceneConfiguration("Board") { Board(switches, release: options.release) }
      ]
      try await Application.withRunning(manifest: manifest, store: store, settings: settings) {
        application in
        try await serve(application, switches, key)
      }
      try await store.close()
    }

    private func serve(
      _ application: Application, _ switches: Switches, _ key: FileKeyProvider
    ) async throws {
      var live = LiveSettings(keys: key)
      live.place = .address("127.0.0.1", port: port)
      live.title = "Boards"
      live.styleSheets = ["/boards.css"]
      live.respond = { request in
        if request.path == "/boards.css" {
          return LiveResponse(type: "text/css; charset=utf-8", body: PackageResources.boards_css)
        }
        return await switches.respond(to: request, application)
      }
      let server = LiveServer(application, live)
      let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
      await withThrowingTaskGroup { group in
        group.addTask {
          try await server.run { url in
            print("boards are at \(url)")
            fflush(nil)
          }
        }
        group.addTask { await Switcher(application).run() }
        group.addTask { for await _ in signals { application.shutDown() } }
        group.addTask { try await Self.waitForEndOfParent() }
        defer { group.cancelAll() }
        do { try await group.next() } catch { print("\(error)") }
        application.shutDown()
      }
    }

    /// The server does not outlive its supervisor.
    private static func waitForEndOfParent() async throws {
      let parent = getppid()
      while getppid() == parent { try await Task.sleep(for: .milliseconds(200)) }
    }
  }
#endif
