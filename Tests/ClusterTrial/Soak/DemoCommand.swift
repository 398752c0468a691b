// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import Foundation
  import PostgresTestServer

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
      print("PostgreSQL \(version) on 127.0.0.1:\(server.port), removed at the end")
      let cluster = try await TrialCluster(on: server, 0)
      let problems = try await show(cluster)
      try await server.remove()
      for problem in problems.prefix(10) { print("  \(problem)") }
      print(problems.isEmpty ? "held" : "violated")
      if !problems.isEmpty { throw ExitCode(1) }
    }

    private func show(_ cluster: TrialCluster) async throws -> [String] {
      let start = ContinuousClock.now
      func say(_ text: String) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(String(format: "%6.2f s  ", seconds) + text)
      }
      let share = ["--lease", "\(lease)", "--create", "\(sessions / 3)", "--settle", "1.5"]
      let nodes = try (0..<3).map {
        try NodeProcess(
          "node\($0)", in: cluster.folder, address: cluster.address, share)
      }
      for node in nodes { try await node.wait(for: "made") }
      say("three processes serve \(sessions / 3 * 3) sessions, and count what each is told")
      print(try await Self.drawn(cluster))
      // So that there is something to lose.
      try await Task.sleep(for: .seconds(3))
      say("node1 is killed")
      await nodes[1].end()
      let killed = ContinuousClock.now
      try await Self.wait(cluster, until: "SELECT EXISTS (SELECT FROM public.burial)")
      say("another node has not heard of it for \(lease) s and buries it: its slices are dealt out")
      print(try await Self.drawn(cluster))
      let served = try await Self.wait(for: "slices were taken up", in: [nodes[0], nodes[2]])
      for line in served { say(line) }
      let outage = (ContinuousClock.now - killed) / .seconds(1)
      say(String(format: "its sessions go on after %.2f s", outage))
      try await Task.sleep(for: .seconds(2))
      for node in nodes { await node.leave() }
      let audit = try NodeProcess(
        "audit", in: cluster.folder, address: cluster.address, ["--audit", "--settle", "0"])
      try await audit.wait(for: "audited")
      await audit.leave()
      let checker = try cluster.check()
      say("one more process has looked at each session")
      print("")
      print("\(checker.acknowledgements) counts were acknowledged, \(checker.problems.count) lost")
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

    private static func wait(_ cluster: TrialCluster, until condition: String) async throws {
      // The database tells no other program.
      while try await cluster.sql(condition) != "t" {
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    /// Waits until each process has said something since its start; gives the last such line of
    /// each.
    private static func wait(
      for text: String, in nodes: [NodeProcess]
    ) async throws -> [String] {
      let end = ContinuousClock.now + .seconds(30)
      while true {
        let lines = nodes.map { node in node.said(text) }
        // The first was said at its start.
        if lines.allSatisfy({ $0.count > 1 }) {
          return zip(nodes, lines).map { node, lines in
            "\(node.name): " + (lines.last.map(Self.short) ?? "")
          }
        }
        guard ContinuousClock.now < end else {
          throw TrialFailure("the nodes did not take up what was dealt to them within 30 s")
        }
        try await Task.sleep(for: .milliseconds(10))
      }
    }

    /// What a line of a log says of a takeover.
    private static func short(_ line: String) -> String {
      func value(_ name: String) -> Double {
        let text = line.split(separator: "\(name)=").dropFirst().first ?? ""
        return Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
      }
      return String(
        format: "%.0f slices with %.0f sessions; the first served after %.0f ms, all after %.0f ms",
        value("slices"), value("sessions"), value("first_served") * 1_000,
        value("all_served") * 1_000)
    }
  }
#endif
