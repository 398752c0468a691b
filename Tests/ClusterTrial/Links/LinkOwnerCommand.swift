// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import Logging
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Synchronization

  /// The node that has all sessions of a trial of links.
  struct LinkOwnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "link-owner", abstract: "Has the sessions that messages are forwarded to.",
      shouldDisplay: false)

    @Argument(help: "The address of the database.")
    var address: String

    @Option(help: "How many sessions it makes.")
    var sessions = 1_000

    @Option(help: "How long it sends to them by itself when it is asked to, in seconds.")
    var seconds = 3.0

    func run() async throws {
      let tally = LinkTally()
      let bare = try await serveBareLink(tally)
      try await LinksCommand.withNode("owner", address, tally) { node in
        var made: [SessionIdentifier] = []
        for _ in 0..<sessions { made.append(try await node.application.host.newSession().id) }
        say("bare \(bare)")
        say("ready")
        for await _ in tally.orders {
          let text = try await measure(made, node.application, tally)
          tally.result.withLock { $0 = text }
        }
      }
    }

    /// Sends to the process's own sessions; gives the rate and the processor time a message.
    private func measure(
      _ sessions: [SessionIdentifier], _ application: Application, _ tally: LinkTally
    ) async throws -> String {
      let before = tally.count.load(ordering: .acquiring)
      let (begin, used) = (LinkTraffic.now, LinkTraffic.processorTime)
      let count = try await LinkTraffic.send(
        to: sessions, of: application, for: .seconds(seconds))
      while tally.count.load(ordering: .acquiring) < before + count {
        // What is queued is delivered within milliseconds.
        try await Task.sleep(for: .milliseconds(1))
      }
      let time = Double(LinkTraffic.now - begin) / 1e9
      let processorTime = LinkTraffic.processorTime - used
      return "\(Double(count) / time) \(processorTime / Double(count))"
    }

    /// Listens for a connection without a node, and notes what comes on it.
    private func serveBareLink(_ tally: LinkTally) async throws -> String {
      let network = TLSNetwork(at: "127.0.0.1", port: 0, published: nil)
      let identity = try await network.open { connection in
        // Ends with the connection.
        Task {
          while let frame = try await connection.read(upTo: LinkFrame.sizeLimit) {
            for start in stride(from: 0, to: frame.count, by: LinkTraffic.size) {
              tally.note(SceneMessage(frame[start..<min(start + LinkTraffic.size, frame.count)]))
            }
          }
        }
      }
      return identity.address
    }
  }
#endif
