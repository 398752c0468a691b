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

    var key: FileKeyProvider { FileKeyProvider(path: folder + "/key", createsIfMissing: true) }

    func run() async throws {
      let key = key
      let store = try SQLiteSessionStore(path: folder + "/boards.store", key: key)
      let switches = try Switches(folder: folder) { _, _ in kill(getpid(), SIGKILL) }
      let manifest: SceneManifest = [
        SceneConfiguration("Board") { Board(switches, release: options.release) }
      ]
      try await Application.withRunning(manifest: manifest, store: store, settings: settings()) {
        application in
        try await serve(application, liveSettings(key), switches) { url in
          print("boards are at \(url)")
          fflush(nil)
        }
      }
      try await store.close()
    }

    func settings() throws -> ApplicationSettings {
      var settings = ApplicationSettings()
      // What a tab was told is on the disk.
      settings.durability = .everyEvent
      settings.clientRules.gracePeriod = .seconds(options.grace)
      settings.clientRules.expiry = .seconds(options.expiry)
      settings.stateMigrations = try Board.migrations(to: options.release)
      settings.ownerQuota = 200
      return settings
    }

    func liveSettings(_ key: FileKeyProvider) -> LiveSettings {
      var live = LiveSettings(keys: key)
      live.place = .address("127.0.0.1", port: port)
      live.title = "Boards"
      live.styleSheets = ["/boards.css"]
      return live
    }

    /// Serves until the process is told to end.
    func serve(
      _ application: Application, _ live: LiveSettings, _ switches: Switches,
      respond: @escaping @Sendable (LiveRequest) -> LiveResponse? = { _ in nil },
      isReady: @escaping @Sendable (_ url: String) -> Void
    ) async throws {
      var live = live
      live.respond = { request in
        if request.path == "/boards.css" {
          return LiveResponse(type: "text/css; charset=utf-8", body: PackageResources.boards_css)
        }
        if let response = respond(request) { return response }
        return await switches.respond(to: request, application)
      }
      let server = LiveServer(application, live)
      let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
      await withThrowingTaskGroup { group in
        // The first of these that ends, ends the others.
        group.addTask { try await server.run(isReady: isReady) }
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
