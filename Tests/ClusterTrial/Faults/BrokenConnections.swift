// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import PostgresTestServer
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives

  /// The connections of a node are slow, and break again and again in the midst of a message.
  struct BrokenConnections: Fault {
    let name = "connections that break"

    private static let count = 30

    func run(on cluster: TrialCluster) async throws -> FaultOutcome {
      let proxy = try TCPProxy(to: cluster.server.port)
      defer { proxy.close() }
      let address = cluster.server.url(database: cluster.database, port: proxy.port)
      let arguments = ["--create", "20", "--settle", "2"]
      let nodes = [
        try cluster.node("node0", through: address, arguments),
        try cluster.node("node1", arguments),
      ]
      for node in nodes { try await node.wait(for: "made") }
      var random = SplitMix64(seed: .random(in: 0 ... .max))
      for round in 0..<Self.count {
        proxy.mode = round % 3 == 0 ? .delay(.milliseconds(20)) : .forward
        proxy.cutAfter(bytes: random.number(below: 20_000))
        // The node connects again, and saves.
        try await Task.sleep(for: .seconds(cluster.lease * 0.3))
      }
      proxy.mode = .forward
      var outcome = FaultOutcome()
      let burials = try await cluster.burials()
      outcome.figures.append("\(Self.count) breaks, \(burials.values.reduce(0, +)) takeovers")
      if !burials.isEmpty { outcome.problems.append("burials: \(burials)") }
      for node in nodes { await node.leave() }
      outcome.judge(try await cluster.audit())
      return outcome
    }
  }
#endif
