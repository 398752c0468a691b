// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import ProsceniumLocalPostgres

  /// A rolling deploy under load: how often slices move, and what their sessions see of it.
  struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "deploy", abstract: "Replaces all nodes by those of a newer build under load.",
      discussion: """
        Three nodes serve all sessions. A spare of a newer build is started, an old node is \
        drained, and when it has ended its replacement is started, until no node is of the old \
        build: the slices of the last one go to the replacement of the one before. A process \
        without sessions sends events all the time, as with the drain. A witness in the database \
        counts how often each slice gets another owner. Numbers in parentheses are what is to be \
        reached on a quiet machine; ten times that is a failure.

        EXAMPLES
          cluster-trial deploy
          cluster-trial deploy --sessions 20000 --connected 2000 --rate 5000
        """)

    @OptionGroup var options: MoveOptions

    func run() async throws {
      let isHeld = try await options.onServer { try await deploy(on: $0) }
      if !isHeld { throw ExitCode(1) }
    }

    private func deploy(on server: PostgresServer) async throws -> Bool {
      say(
        "\(options.sessions) sessions on three nodes and a spare, \(options.connected) of each"
          + " connected, \(options.rate) events a second")
      let moving = try await MovingCluster(options.plan, build: 1, on: server)
      // The events flow as before when the deploy begins.
      try await Task.sleep(for: .seconds(3))
      let start = ContinuousClock.now
      var new = [try await started(moving.nodes.count, moving.cluster)]
      var drains: [Double] = []
      for (number, old) in moving.nodes.enumerated() {
        drains.append(try await moving.drain(old))
        // The last one has its replacement: the spare was started before the first one ended.
        if number < moving.nodes.count - 1 { new.append(try await started(number, moving.cluster)) }
      }
      let time = (ContinuousClock.now - start) / .seconds(1)
      // What has moved is sent events as well.
      try await Task.sleep(for: .seconds(2))
      let witness = try await moving.cluster.moves()
      let events = try await moving.finish(new)
      var report = MoveReport()
      report.add("moves of a slice, mean", witness.moves.mean, of: MoveWitness.bar)
      report.add("  of the one that moved most", "\(witness.moves.highest)")
      report.add("  that left it without an owner", "\(witness.breaks)")
      report.add("the whole deploy, s", time.formatted(1))
      report.add("  each drain, s", drains.map { $0.formatted(1) }.joined(separator: ", "))
      // A replacement has the name and the log of the node before.
      report.add(Gifts(of: moving.nodes + new.prefix(1)))
      report.add(events)
      report.add(try await moving.cluster.judge())
      return report.show()
    }

    /// Starts a node of the new build, and returns when it has joined.
    private func started(_ number: Int, _ cluster: TrialCluster) async throws -> NodeProcess {
      let node = try cluster.movingNode(number, build: 2)
      try await node.wait(for: "ready")
      return node
    }
  }
#endif
