// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumLoadNodes
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// The source of the events of a run: a node that takes no slices.
  ///
  /// SIGUSR1 has it stop, and say what came of everything; each further one lets it ask again.
  struct SourceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "source", abstract: "Sends the events of a run.", shouldDisplay: false)

    /// What it says when all scenes have their first event.
    static let connected = "connected"

    @OptionGroup var options: NodeOptions

    @Option(help: "The file with the sessions that get events, one a line.")
    var sessions: String

    @Option(help: "How many of the last of them have users.")
    var users: Int

    @Option(help: "How many events a second are due.")
    var rate: Double

    func run() async throws {
      let text = try String(contentsOfFile: sessions, encoding: .utf8)
      let all = text.split(separator: "\n").compactMap { SessionIdentifier(String($0)) }
      let orders = ParentSignals().orders
      let losses = EventLosses()
      var settings = options.settings
      settings.takesSlices = false
      var application = ApplicationSettings()
      application.observedTopics = .lives
      application.observer = { losses.note($0) }
      try await ClusterNode.withRunning(
        manifest: [SceneConfiguration("Tally") { TallyDelegate(Deliveries()) }],
        authority: options.authority, node: settings,
        links: .tls(at: "127.0.0.1", port: 0), settings: application, log: options.log
      ) { node in
        let source = EventSource(
          node.application, to: Array(all.dropLast(users)), users: Array(all.suffix(users)), losses)
        try await source.connect()
        Terminal.announce(SourceCommand.connected + "\n")
        try await serve(source, node, orders)
      }
    }

    @concurrent
    private func serve(
      _ source: EventSource, _ node: ClusterNode, _ orders: AsyncStream<ParentSignals.Order>
    ) async throws {
      await withTaskGroup { group in
        // Until it is told to stop.
        group.addTask { await source.run(rate: rate) }
        // Until it is cancelled.
        group.addTask {
          while !Task.isCancelled {
            if let text = try? Line.text(source.reading()) {
              Terminal.announce(SourceReading.mark + text + "\n")
            }
            // A reading is of a quarter of a second.
            try? await ContinuousClock().sleep(for: .milliseconds(250))
          }
        }
        for await order in orders {
          source.stop()
          guard order == .tell else { break }
          if let text = try? Line.text(await source.totals()) {
            Terminal.announce(EventTotals.mark + text + "\n")
          }
        }
        source.stop()
        group.cancelAll()
      }
      node.application.shutDown()
    }
  }
#endif
