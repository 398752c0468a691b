// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumPrimitives

  /// Messages from a node that has no sessions to one that has them all.
  struct LinkTrial: Sendable {
    let application: Application
    let sessions: [SessionIdentifier]
    /// Where the owner listens for a connection without nodes.
    let bare: String
    let rate: Int

    /// What was measured in one run: messages a second, microseconds of processors a message, and
    /// delays in microseconds.
    struct Figures {
      var local = (rate: 0.0, cost: 0.0)
      var forwarded = (rate: 0.0, cost: 0.0)
      var delay = (median: 0.0, high: 0.0)
      var bareDelay = (median: 0.0, high: 0.0)

      var text: String {
        String(
          format: "%11.0f %11.0f %8.1f %% %8.2f µs %8.0f %8.0f %8.0f %8.0f", local.rate,
          forwarded.rate, 100 * forwarded.rate / local.rate, forwarded.cost - local.cost,
          delay.median, delay.high, bareDelay.median, bareDelay.high)
      }
    }

    static let heading = """
                 messages of 256 bytes a second        link a     delay in µs        of TLS alone
            own   forwarded    ratio     message      p50      p99      p50      p99
      """

    func run(for time: Duration) async throws -> Figures {
      var figures = Figures()
      figures.local = try await local()
      figures.forwarded = try await forwarded(for: time)
      try await LinkTraffic.pace(rate, for: time) { [application, sessions] count in
        for place in 0..<count {
          try await application.sendWithBackpressure(
            SceneMessage(LinkTraffic.timed()), to: sessions[place % sessions.count])
        }
      }
      figures.delay = try await delays()
      try await sendBare(for: time)
      figures.bareDelay = try await delays()
      return figures
    }

    private func ask(_ question: String) async throws -> [Double] {
      try await application.call(SceneMessage(question), to: sessions[0]).string
        .split(separator: " ").compactMap { Double($0) }
    }

    private func local() async throws -> (rate: Double, cost: Double) {
      _ = try await ask("local")
      while true {
        // The owner is not to be asked all the time while it measures.
        try await Task.sleep(for: .milliseconds(200))
        let result = try await ask("result")
        if result.count == 2 { return (result[0], result[1]) }
      }
    }

    private func forwarded(for time: Duration) async throws -> (rate: Double, cost: Double) {
      let before = try await ask("state")
      let (begin, used) = (LinkTraffic.now, LinkTraffic.processorTime)
      let count = try await LinkTraffic.send(to: sessions, of: application, for: time)
      var after = try await ask("state")
      while after[0] < before[0] + Double(count) { after = try await ask("state") }
      let elapsed = Double(LinkTraffic.now - begin) / 1e9
      let cost = LinkTraffic.processorTime - used + after[1] - before[1]
      return (Double(count) / elapsed, cost / Double(count))
    }

    private func delays() async throws -> (median: Double, high: Double) {
      // What is on its way arrives.
      try await Task.sleep(for: .milliseconds(200))
      let delays = try await ask("delays")
      guard delays.count == 3, delays[2] > 0 else { throw TrialFailure("no message was received") }
      return (delays[0], delays[1])
    }

    private func sendBare(for time: Duration) async throws {
      let network = TLSNetwork(at: "127.0.0.1", port: 0, published: nil)
      _ = try await network.open { $0.close() }
      let owner = ClusterMember(
        number: 1, name: "owner", address: "", link: LinkIdentity(address: bare), build: 0,
        beat: 0, slices: 0)
      let connection = try await network.connect(to: owner)
      try await LinkTraffic.pace(rate, for: time) { count in
        if count == 0 { return }
        let events = (0..<count).flatMap { _ in LinkTraffic.timed() }
        try await connection.write(
          (0..<4).map { UInt8(truncatingIfNeeded: events.count >> (8 * $0)) } + events)
      }
      await network.close()
    }
  }
#endif
