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
  import ProsceniumPredicate
  import ProsceniumPrimitives

  /// What it costs that the content of an event is shown by a session of another node.
  struct ContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "content",
      abstract: "Measures events that find their sessions by content on another node, over TLS.",
      discussion: """
        Two nodes share a database. Events for new content arise on both at the same instant, and \
        are to make one session; then events go to sessions of the other node, next to calls of \
        the same sessions. What a decision costs is measured with the terms of seven nodes.

        EXAMPLES
          cluster-trial content
          cluster-trial content --pairs 1000 --terms 100000
        """)

    @Option(help: "How often two events for new content arise at the same instant.")
    var pairs = 10_000

    @Option(help: "How many sessions have conditions that an event follows at once.")
    var young = 1_000

    @Option(help: "How long events go to the other node, and calls, in seconds.")
    var seconds = 3.0

    @Option(help: "How many terms each of seven other nodes has when decisions are measured.")
    var terms = 1_000_000

    func validate() throws {
      guard (1...1_000_000).contains(pairs), (1...100_000).contains(young),
        (0.1...600).contains(seconds), (1...2_000_000).contains(terms)
      else { throw ValidationError("expected 1 to 1,000,000 pairs and 0.1 to 600 s") }
    }

    func run() async throws {
      for line in try ContentDecisions(count: terms).lines() { say(line) }
      let server = try await PostgresServer.start(onDisk: false, settings: [:])
      let result = await Result { try await measure(server) }
      try? await server.remove()
      try result.get()
    }

    private func measure(_ server: PostgresServer) async throws {
      let cluster = try await TrialCluster(on: server, 0, lease: 5)
      try await withNode("one", cluster.address) { one in
        try await withNode("two", cluster.address) { two in
          let trial = ContentTrial(one: one, two: two)
          try await trial.waitUntilShared()
          let made = try await trial.makePairs(pairs)
          say("\(made) of \(pairs) pairs of events for new content made one session")
          let late = try await trial.followYoungConditions(young)
          say("\(late) of \(young) events came before the conditions that they follow")
          say(try await trial.compare(for: .seconds(seconds)))
          guard made == pairs else {
            throw TrialFailure("expected one session for each pair")
          }
        }
      }
    }

    private func withNode(
      _ name: String, _ address: String,
      _ body: @escaping @Sendable (ClusterNode) async throws -> Void
    ) async throws {
      var settings = ClusterSettings(name: name, address: name)
      settings.settleTime = .milliseconds(100)
      settings.balancePause = .milliseconds(100)
      let tally = LinkTally()
      let configuration = SceneConfiguration("Content", initialConditions: Self.conditions) {
        LinkDelegate(tally)
      }
      try await ClusterNode.withRunning(
        manifest: [configuration],
        authority: try PostgresAuthority(address, key: TrialKey.provider), node: settings,
        links: .tls(at: "127.0.0.1", port: 0),
        log: Logger(label: name) { label in
          var handler = StreamLogHandler.standardError(label: label)
          handler.logLevel = .error
          return handler
        }, body)
    }

    /// A session shows what it was made for.
    @Sendable private static func conditions(
      _ options: Scene.ConnectionOptions
    ) -> SceneActivationConditions {
      let content = options.urlContexts.first.flatMap { try? ContentPredicate.equals($0.url) }
      return SceneActivationConditions(can: .false, prefers: content ?? .false)
    }
  }
#endif
