// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Dispatch
  import Foundation
  import Logging
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// A node that owns no slices and sends events to sessions of all others.
  ///
  /// It sends until it is told by SIGTERM to count what came, and ends then.
  struct SenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sender", abstract: "Sends events to the sessions of a trial.",
      shouldDisplay: false)

    @Argument(help: "The address of the database.")
    var address: String

    @Option(help: "The file that has the sessions, one a line.")
    var sessions: String

    @Option(help: "How many events it sends in a second.")
    var rate = 20_000

    @Option(help: "The lease in seconds.")
    var lease = 5.0

    func run() async throws {
      let text = try String(contentsOfFile: sessions, encoding: .utf8)
      let found = text.split(separator: "\n").compactMap { SessionIdentifier(String($0)) }
      guard !found.isEmpty else { throw TrialFailure("\(sessions) has no sessions") }
      let log = Logger(label: "sender") { StreamLogHandler.standardError(label: $0) }
      let losses = EventLosses(log)
      let isOver = Guarded(false)
      let stop: @Sendable () -> Void = { isOver.withLock { $0 = true } }
      let signals = NodeSignals([(SIGTERM, stop)])
      defer { signals.end() }
      var settings = ClusterSettings(name: "sender", address: "sender")
      settings.lease = .seconds(lease)
      settings.takesSlices = false
      var configuration = ClusterNode.Configuration(
        manifest: [SceneConfiguration("Counting") { SilentDelegate() }],
        authority: try PostgresAuthority(address, key: TrialKey.provider), node: settings,
        network: TLSNetwork(at: "127.0.0.1", port: 0, published: nil),
        log: log)
      configuration.settings.metrics = losses.unknown
      configuration.settings.observedTopics = .lives
      configuration.settings.observer = { losses.note($0) }
      try await ClusterNode.withRunning(configuration) { node in
        let sender = EventSender(
          application: node.application, sessions: found, losses: losses, rate: rate)
        try await sender.connect()
        say("connected")
        let sent = try await sender.flood { isOver.withLock { $0 } }
        say(await sender.totals(sent).line)
      }
    }

    /// The delegate of a node that has no sessions.
    private final class SilentDelegate: SceneDelegate {}
  }
#endif
