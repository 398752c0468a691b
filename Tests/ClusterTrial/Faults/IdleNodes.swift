// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres

  /// Eight nodes that have nothing to do, and what the server has to do for them.
  struct IdleNodes: Fault {
    let name = "eight nodes idle"

    private static let (count, seconds) = (8, 10.0)

    func run(on cluster: TrialCluster) async throws -> FaultOutcome {
      // With a shorter lease they say more often that they live.
      var cluster = cluster
      cluster.lease = 5
      // What the server is asked is in its log from now on.
      try await cluster.sql("ALTER DATABASE \(cluster.database) SET log_statement = 'all'")
      let nodes = try (0..<Self.count).map {
        try cluster.node("node\($0)", ["--callers", "0", "--settle", "3"])
      }
      for node in nodes { try await node.wait(for: "ready") }
      var outcome = FaultOutcome()
      let connections = try await cluster.sql(
        """
        SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
      let before = try statements(cluster)
      // It is a rate over this time.
      try await Task.sleep(for: .seconds(Self.seconds))
      let rate = Double(try statements(cluster) - before) / Self.seconds / Double(Self.count)
      outcome.figures.append("statements a node and second \(rate.formatted(2)) (3)")
      let each = (Double(connections) ?? .infinity) / Double(Self.count)
      outcome.figures.append("connections a node \(each.formatted(2)) (6)")
      if !(0.5...3).contains(rate) { outcome.problems.append("\(rate) statements a second") }
      if each > 6 { outcome.problems.append("\(each) connections a node") }
      for node in nodes { await node.leave() }
      return outcome
    }

    /// How many statements the server has logged.
    private func statements(_ cluster: TrialCluster) throws -> Int {
      let log = try String(contentsOfFile: cluster.server.log, encoding: .utf8)
      return log.split(separator: "\n").count {
        $0.contains("LOG:  statement:") || $0.contains("LOG:  execute ")
      }
    }
  }
#endif
