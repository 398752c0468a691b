// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import Logging
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// What it costs that a message goes to another node.
  struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "links",
      abstract: "Measures messages for sessions of another node, over TLS.",
      discussion: """
        One process has all sessions, another one sends them messages of 256 bytes. In the same \
        run the first one sends as many to its own sessions, and a connection without nodes \
        brings them alone.

        EXAMPLES
          cluster-trial links --runs 5
        """)

    @Option(help: "How often each is measured, in turns.")
    var runs = 5

    @Option(help: "How long each takes, in seconds.")
    var seconds = 3.0

    @Option(help: "How many sessions there are.")
    var sessions = 1_000

    @Option(help: "How many messages a second there are when delays are measured.")
    var rate = 20_000

    func validate() throws {
      guard (1...100).contains(runs), (0.1...600).contains(seconds),
        (1...100_000).contains(sessions),
        (1_000...1_000_000).contains(rate)
      else { throw ValidationError("expected 1 to 100 runs of 0.1 to 600 s") }
    }

    func run() async throws {
      let server = try await PostgresServer.start(onDisk: false, settings: [:])
      do {
        try await measure(server)
        try await server.remove()
      } catch {
        try? await server.remove()
        throw error
      }
    }

    private func measure(_ server: PostgresServer) async throws {
      let cluster = try await TrialCluster(on: server, 0, lease: 5)
      let owner = try NodeProcess(
        "owner", in: cluster.folder, command: "link-owner",
        [cluster.address, "--sessions", "\(sessions)", "--seconds", "\(seconds)"])
      try await owner.wait(for: "ready")
      let bare = try await owner.wait(forLineWith: "bare ").dropFirst(5)
      var identifiers: [SessionIdentifier] = []
      while identifiers.count < sessions {
        // They are in the database some milliseconds after they are made.
        try await Task.sleep(for: .milliseconds(50))
        identifiers = try await cluster.sql("SELECT id FROM proscenium.session")
          .split(separator: "\n").compactMap { SessionIdentifier(String($0)) }
      }
      let (tally, found) = (LinkTally(), identifiers)
      try await Self.withNode("sender", cluster.address, tally) { node in
        let trial = LinkTrial(
          application: node.application, sessions: found, bare: String(bare), rate: rate)
        say(LinkTrial.heading)
        for _ in 0..<runs { say(try await trial.run(for: .seconds(seconds)).text) }
      }
      await owner.end()
    }

    /// Runs a node of the trial.
    static func withNode(
      _ name: String, _ address: String, _ tally: LinkTally,
      _ body: @escaping @Sendable (ClusterNode) async throws -> Void
    ) async throws {
      var settings = ClusterSettings(name: name, address: name)
      settings.settleTime = .milliseconds(100)
      settings.balancePause = nil
      try await ClusterNode.withRunning(
        manifest: [SceneConfiguration("Links") { LinkDelegate(tally) }],
        authority: try PostgresAuthority(address, key: TrialKey.provider), node: settings,
        links: .tls(at: "127.0.0.1", port: 0),
        log: Logger(label: name) { StreamLogHandler.standardError(label: $0) }, body)
    }
  }
#endif
