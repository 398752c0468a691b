// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumLinks
  import ProsceniumLive
  import ProsceniumPostgres

  /// A node of the cluster: as ``BoardHost``, but for the store that it shares with the others.
  struct NodeHost: Sendable {
    /// By which variable of the environment a process is told the address of the database.
    static let databaseVariable = "BOARDS_DATABASE"

    let host: BoardHost
    let database: String
    let name: String
    let build: Int32
    let lease: Int

    func run() async throws {
      let key = host.key
      var node = ClusterSettings(name: name, address: "\(host.port)", build: build)
      node.lease = .seconds(lease)
      node.settleTime = .seconds(1)
      let nodes = NodeList(of: database, for: node)
      // What is to be done with processes, their supervisor does.
      let switches = try Switches(folder: host.folder, node: node.address, told: { tell($0, $1) })
      let manifest: SceneManifest = [
        SceneConfiguration("Board") { [host] in
          Board(switches, release: host.options.release) { page in nodes.render(&page) }
        }
      ]
      var live = host.liveSettings(key)
      // As the front has it.
      live.lineOfNode = { address in "/\(address)/line" }
      try await ClusterNode.withRunning(
        manifest: manifest, authority: PostgresAuthority(database, key: key), node: node,
        links: .tls(at: "127.0.0.1", port: 0), settings: host.settings()
      ) { [live] node in
        try await withThrowingTaskGroup { group in
          // Ends with the node.
          group.addTask { await nodes.run(node.application) }
          // Until the process is told to end.
          group.addTask {
            try await host.serve(node.application, live, switches) { request in
              request.path == "/nodes" ? nodes.page : nil
            } isReady: { _ in
              tell("ready", "\(node.status.number ?? 0)")
            }
          }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
    }

    /// Writes what the supervisor reads.
    private func tell(_ words: String...) {
      print(words.joined(separator: " "))
      fflush(nil)
    }
  }
#endif
