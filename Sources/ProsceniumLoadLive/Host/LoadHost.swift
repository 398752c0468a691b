// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import Proscenium
  import ProsceniumLive
  import ProsceniumSQLite
  import ProsceniumTerminal

  /// The process that has started this one.
  struct ParentProcess: Sendable {
    private let identifier = getppid()

    /// What a terminal tells all processes is for the one that has started this one.
    init() {
      Terminal.trapInterrupts()
      signal(SIGINT, SIG_IGN)
    }

    /// Waits until it asks for the end by SIGTERM, or is gone.
    func waitUntilEnd() async throws {
      let clock = ContinuousClock()
      while !Terminal.isInterrupted, getppid() == identifier {
        try await clock.sleep(for: .milliseconds(50))
      }
    }
  }

  /// The process under load: a web host with a store on the disk, a commit for every input.
  struct LoadHost: Sendable {
    /// What it says when it can be connected to, before its port.
    static let ready = "ready "

    /// The port on 127.0.0.1, 0 for any that is free.
    let port: Int
    let folder: String
    /// How many scenes may be connected, or nil for no limit.
    let sceneLimit: Int?
    let durability: Durability

    /// Serves until it is told to end by SIGTERM.
    ///
    /// - Throws: What the store or the server throws.
    @concurrent
    func run() async throws {
      let parent = ParentProcess()
      let key = FileKeyProvider(path: folder + "/key", createsIfMissing: true)
      let store = try SQLiteSessionStore(path: folder + "/sessions.store", key: key)
      var settings = ApplicationSettings()
      settings.durability = durability
      if let sceneLimit {
        var policy = DisconnectionPolicy()
        policy.sceneLimit = sceneLimit
        settings.disconnectionPolicy = policy
      }
      var live = LiveSettings(keys: key)
      live.place = .address("127.0.0.1", port: port)
      let manifest: SceneManifest = [SceneConfiguration("Count", CountPage.init)]
      try await Application.withRunning(manifest: manifest, store: store, settings: settings) {
        [live] application in
        try await withThrowingTaskGroup { group in
          group.addTask {
            try await LiveServer(application, live).run { url in
              let port = url.split { ":/".contains($0) }.last ?? ""
              Terminal.announce("\(Self.ready)\(port)\n")
            }
          }
          // Ends both when the process is told to end.
          group.addTask { try await parent.waitUntilEnd() }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
      try await store.close()
    }
  }
#endif
