// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import ProsceniumLocalPostgres

  /// Three nodes, one of which is killed: what a cluster is, to look at.
  struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo", abstract: "Shows three nodes, kills one, and ends with a verdict.",
      discussion: """
        A PostgreSQL server of its own is started in a temporary folder and removed at the end.

        EXAMPLES
          cluster-trial demo
          cluster-trial demo --lease 5
        """)

    @Option(help: "How long a node must not have been heard of to be buried, in seconds.")
    var lease = 2.0

    @Option(help: "How many sessions there are.")
    var sessions = 300

    func validate() throws {
      guard (1...60).contains(lease), (3...10_000).contains(sessions) else {
        throw ValidationError("expected a lease of 1 to 60 s, and 3 to 10,000 sessions")
      }
    }

    func run() async throws {
      let server = try await PostgresServer.start()
      let version = try await server.sql("SHOW server_version")
      say("PostgreSQL \(version) on 127.0.0.1:\(server.port), removed at the end")
      let cluster = try await TrialCluster(on: server, 0, lease: lease)
      let problems = try await show(cluster)
      try await server.remove()
      for problem in problems.prefix(10) { say("  \(problem)") }
      say(problems.isEmpty ? "held" : "violated")
      if !problems.isEmpty { throw ExitCode(1) }
    }

    private func show(_ cluster: TrialCluster) async throws -> [String] {
      let start = ContinuousClock.now
      func tell(_ text: String) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        say(String(format: "%6.2f s  ", seconds) + text)
      }
      let nodes = try await cluster.nodes(3, making: sessions / 3)
      tell("three processes serve \(sessions / 3 * 3) sessions, and count what each is told")
      say(try await Self.drawn(cluster))
      // So that there is something to lose: nothing else tells how much is enough to look at.
      try await Task.sleep(for: .seconds(3))
      tell("node1 is killed")
      await nodes[1].end()
      let killed = ContinuousClock.now
      try await cluster.wait(until: "SELECT EXISTS (SELECT FROM public.burial)")
      tell(
        "another node has not heard of it for \(lease) s and buries it: its slices are dealt out")
      say(try await Self.drawn(cluster))
      for node in [nodes[0], nodes[2]] {
        // The first takeover was that of its start.
        let line = try await node.wait(forLog: "slices were taken up", after: 1)
        tell("\(node.name): " + Self.short(line))
      }
      let outage = (ContinuousClock.now - killed) / .seconds(1)
      tell(String(format: "its sessions go on after %.2f s", outage))
      // So that something is acknowledged afterwards.
      try await Task.sleep(for: .seconds(2))
      for node in nodes { await node.leave() }
      let checker = try await cluster.audit()
      tell("one more process has looked at each session")
      say("")
      say("\(checker.acknowledgements) counts were acknowledged, \(checker.problems.count) lost")
      return checker.problems
    }

    /// The slices of each node, drawn.
    private static func drawn(_ cluster: TrialCluster) async throws -> String {
      let rows = try await cluster.sql(
        """
        SELECT coalesce(name, 'none'), count(*) FROM proscenium.map GROUP BY name ORDER BY name
        """)
      return rows.split(separator: "\n").map { row in
        let columns = row.split(separator: "|")
        let count = columns.last.flatMap { Int($0) } ?? 0
        let bar = String(repeating: "█", count: (count + 15) / 32)
        return "            \(columns.first ?? "") \(bar) \(count) slices"
      }.joined(separator: "\n")
    }

    /// What a line of a log says of a takeover.
    private static func short(_ line: String) -> String {
      func value(_ name: String) -> Double { NodeProcess.value(name, in: line) }
      return String(
        format: "%.0f slices with %.0f sessions; the first served after %.0f ms, all after %.0f ms",
        value("slices"), value("sessions"), value("first_served") * 1_000,
        value("all_served") * 1_000)
    }
  }
#endif
