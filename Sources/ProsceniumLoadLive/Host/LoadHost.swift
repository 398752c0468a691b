// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import Proscenium
  import ProsceniumLive
  import ProsceniumLoadNodes
  import ProsceniumSQLite
  import ProsceniumTerminal

  #if Links
    import ProsceniumLinks
    import ProsceniumLoad
    import ProsceniumPostgres
  #endif

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
    private let parent = ParentSignals()

    /// Serves until it is told to end by SIGTERM.
    ///
    /// - Throws: What the store or the server throws.
    @concurrent
    func run() async throws {
      let store = try SQLiteSessionStore(path: folder + "/sessions.store", key: key)
      try await Application.withRunning(manifest: manifest, store: store, settings: settings) {
        try await serve($0)
      }
      try await store.close()
    }

    #if Links
      /// Serves as a node of a cluster, until it is told to end by SIGTERM or was drained.
      ///
      /// - Parameters:
      ///   - database: The address of the cluster's database.
      ///   - node: The node's name and its build; its address is its name, since clients find
      ///     its port by that.
      /// - Throws: What the database or the server throws.
      @concurrent
      func run(in database: String, as node: ClusterSettings) async throws {
        var node = node
        node.lockFile = "\(folder)/\(node.name).lock"
        // Slices come back to a node that was killed while the run still lasts.
        node.balancePause = .seconds(2)
        node.settleTime = .seconds(1)
        // A run can kill more owners than any session would that ends its process.
        node.deathLimit = .max
        try await ClusterNode.withRunning(
          manifest: manifest, authority: try PostgresAuthority(database, key: key), node: node,
          links: .tls(at: "127.0.0.1", port: 0), settings: settings
        ) { node in
          try await withCompany { isReady in
            isReady()
            try await node.tellReadings()
          } _: {
            try await serve(node.application)
          }
        }
      }
    #endif

    private var manifest: SceneManifest { [SceneConfiguration("Count", CountPage.init)] }

    private var key: FileKeyProvider { .file(folder + "/key") }

    private var settings: ApplicationSettings {
      var settings = ApplicationSettings()
      settings.durability = durability
      if let sceneLimit {
        var policy = DisconnectionPolicy()
        policy.sceneLimit = sceneLimit
        settings.disconnectionPolicy = policy
      }
      return settings
    }

    private func serve(_ application: Application) async throws {
      var live = LiveSettings(keys: key)
      live.place = .address("127.0.0.1", port: port)
      live.lineOfNode = { HostPlace.line(of: $0) }
      let server = LiveServer(application, live)
      try await withThrowingTaskGroup { group in
        // Until it is cancelled.
        group.addTask {
          try await server.run { url in
            let port = url.split { ":/".contains($0) }.last ?? ""
            Terminal.announce("\(Self.ready)\(port)\n")
          }
        }
        // Ends both when the process is told to end.
        group.addTask { await parent.waitUntilEnd() }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }
#endif
