// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import Logging
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import ProsceniumPostgres
  import ProsceniumSealing
  import ProsceniumTerminal

  /// What a process of a run has to know to be a node.
  struct NodeOptions: ParsableArguments {
    @Option(help: "The address of the database.")
    var database: String

    @Option(help: "What the node is called.")
    var name: String

    @Option(help: "The file with the key of the states.")
    var key: String

    @Option(help: "The lease in seconds.")
    var lease = 5.0

    var settings: ClusterSettings {
      var settings = ClusterSettings(name: name, address: name)
      settings.lease = .seconds(lease)
      return settings
    }

    var authority: PostgresAuthority {
      get throws { try PostgresAuthority(database, key: FileKeyProvider(path: key)) }
    }

    var log: Logger { Logger(label: name) { StreamLogHandler.standardError(label: $0) } }
  }

  /// A node of a run.
  struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "node", abstract: "Is a node of a run.", shouldDisplay: false)

    /// What it says when it serves.
    static let ready = "ready"
    /// How many sessions are made at a time: they share commits.
    private static let callers = 128

    @OptionGroup var options: NodeOptions

    @Option(help: "The build of its program.")
    var build: Int32 = 1

    @Option(help: "When states are captured.", transform: { Durability(text: $0) ?? .onDisconnect })
    var durability = Durability.onDisconnect

    @Option(help: "How many sessions it makes.")
    var create = 0

    @Option(help: "The file that their identifiers are written to.")
    var list: String?

    func run() async throws {
      let parent = ParentSignals()
      let deliveries = Deliveries()
      var settings = options.settings
      settings.build = build
      settings.settleTime = .seconds(2)
      settings.balancePause = .seconds(2)
      // A run kills more owners than any poison would.
      settings.deathLimit = .max
      var application = ApplicationSettings()
      application.durability = durability
      try await ClusterNode.withRunning(
        manifest: [SceneConfiguration("Tally") { TallyDelegate(deliveries) }],
        authority: options.authority, node: settings,
        links: .tls(at: "127.0.0.1", port: 0), settings: application, log: options.log
      ) { node in
        try await withThrowingTaskGroup { group in
          // Until the node ends.
          group.addTask { try await node.tellReadings { deliveries.take().buckets } }
          // Ends the node.
          group.addTask {
            await parent.waitUntilEnd()
            node.application.shutDown()
          }
          Terminal.announce(NodeCommand.ready + "\n")
          if let list, create > 0 { try await makeSessions(node, list) }
          try await group.waitForAll()
        }
      }
    }

    /// Makes sessions with their states, and leaves them without scenes.
    @concurrent
    private func makeSessions(_ node: ClusterNode, _ list: String) async throws {
      let host = node.application.host
      let made = try await withThrowingTaskGroup(of: [SessionIdentifier].self) { group in
        for caller in 0..<Self.callers {
          // Several at a time: an answer of the database takes its time.
          group.addTask {
            var made: [SessionIdentifier] = []
            for _ in stride(from: caller, to: create, by: Self.callers) {
              let session = try await host.newSession().id
              try await host.perform(.background(session))
              try await host.perform(.disconnect(session))
              made.append(session)
            }
            return made
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      try made.map { "\($0)\n" }.joined().write(toFile: list, atomically: true, encoding: .utf8)
      Terminal.announce("made\n")
    }
  }
#endif
