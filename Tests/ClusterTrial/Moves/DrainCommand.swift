// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import ProsceniumLocalPostgres

  /// How long it takes to drain a node under load, and what its sessions see of it.
  struct DrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drain", abstract: "Drains a node under load, and looks what comes of it.",
      discussion: """
        Three nodes serve all sessions. A process without sessions sends numbered events over \
        links to some of each node, and one node is drained. At the end each session says which \
        events it was given. Numbers in parentheses are what is to be reached on a quiet machine; \
        ten times that is a failure.

        A blackout is the time in which no node serves a session: from the begin of a gift of \
        slices until their receiver serves them. Percentiles are those of sessions: a gift counts \
        as often as it has some.

        EXAMPLES
          cluster-trial drain
          cluster-trial drain --sessions 20000 --connected 2000 --rate 5000
        """)

    @OptionGroup var options: MoveOptions

    func run() async throws {
      let isHeld = try await options.onServer { try await drain(on: $0) }
      if !isHeld { throw ExitCode(1) }
    }

    private func drain(on server: PostgresServer) async throws -> Bool {
      say(
        "\(options.sessions) sessions on three nodes, \(options.connected) of each connected,"
          + " \(options.rate) events a second")
      let moving = try await MovingCluster(options.plan, build: 1, on: server)
      // The events flow as before when a node is drained.
      try await Task.sleep(for: .seconds(3))
      let time = try await moving.drain(moving.nodes[0])
      // What has moved is sent events as well.
      try await Task.sleep(for: .seconds(2))
      let events = try await moving.finish(Array(moving.nodes.dropFirst()))
      var report = MoveReport()
      report.add("from the order until the process ended", time, of: 20, "s")
      report.add(Gifts(of: moving.nodes))
      report.add(events)
      report.add(try await moving.cluster.judge())
      return report.show()
    }
  }
#endif
