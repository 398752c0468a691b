// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPostgres

  /// Nodes with many sessions, of which some are connected and get events while slices move.
  ///
  /// The events are numbered, and each session counts what it is given. In addition, the nodes tell
  /// few other sessions something and write it down, as in a soak.
  struct MovingCluster: Sendable {
    /// What there is before anything moves.
    struct Plan: Sendable {
      var nodes = 3
      /// How many sessions there are in all.
      var sessions: Int
      /// How many of each node are connected, changed, and sent events.
      var connected: Int
      /// How many events a second there are.
      var rate: Int
      var lease: Double
      /// Whether a witness looks at each row that is written.
      var seesStale: Bool
    }

    let cluster: TrialCluster
    let nodes: [NodeProcess]
    private let sender: NodeProcess

    /// Of how many sessions of each node histories are written.
    private static let told = 64
    /// The file of the sessions that get events.
    private static let file = "targets"
    /// The file of the sessions that the nodes tell something.
    private static let toldFile = "told.sessions"

    /// Starts nodes that serve sessions, and lets events flow.
    ///
    /// - Throws: That it does not come to that.
    init(_ plan: Plan, build: Int32, on server: PostgresServer) async throws {
      cluster = try await TrialCluster(on: server, 0, lease: plan.lease)
      try await cluster.fill(plan.sessions)
      // The witness of stale rows would take a part of each save, and what saves take is measured.
      if !plan.seesStale { try await cluster.sql("DROP TRIGGER witness ON proscenium.state") }
      let cluster = cluster
      nodes = try (0..<plan.nodes).map { try cluster.movingNode($0, build: build) }
      for node in nodes { try await node.wait(for: "ready", within: .seconds(120)) }
      try await cluster.wait(until: Self.isSpread(over: plan.nodes))
      try await cluster.watchMoves()
      try await cluster.writeSessions(1...plan.connected, to: Self.file)
      try await cluster.writeSessions(
        plan.connected + 1...plan.connected + Self.told, to: Self.toldFile)
      sender = try NodeProcess(
        "sender", in: cluster.folder, command: "sender",
        [
          cluster.address, "--sessions", "\(cluster.folder)/\(Self.file)", "--rate",
          "\(plan.rate)", "--lease", "\(plan.lease)",
        ])
      try await sender.wait(for: "connected", within: .seconds(300))
    }

    /// Whether each node has its share: at a start one can take more, and gives it away then.
    private static func isSpread(over nodes: Int) -> String {
      """
      SELECT count(*) = \(nodes) AND sum(owned) = 1024 AND max(owned) - min(owned) <= 32
        FROM (SELECT count(*) AS owned FROM proscenium.slice WHERE owner IS NOT NULL
          GROUP BY owner) AS counts
      """
    }

    /// Drains a node as an operator does.
    ///
    /// - Returns: How long it took until its process ended, in seconds.
    /// - Throws: That it did not end.
    func drain(_ node: NodeProcess) async throws -> Double {
      let number = try await cluster.sql(
        "SELECT node FROM proscenium.node WHERE name = '\(node.name)' AND state = 'l'")
      guard let number = Int32(number) else {
        throw TrialFailure("expected a node that is called \(node.name), found \"\(number)\"")
      }
      let start = ContinuousClock.now
      try await ClusterStatus.drain(number, at: cluster.address)
      try await node.waitForEnd(within: .seconds(300))
      return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Ends the flow of events, and all nodes after it.
    ///
    /// - Parameter last: The nodes that still run.
    /// - Returns: What became of the events.
    /// - Throws: That the sender does not come to it.
    func finish(_ last: [NodeProcess]) async throws -> EventTotals {
      sender.signal(SIGTERM)
      let line = try await sender.wait(forLineWith: EventTotals.mark)
      await sender.leave()
      // A node that ends loses what it has told a node that has just ended.
      try FileManager.default.removeItem(atPath: "\(cluster.folder)/\(Self.toldFile)")
      // Nodes read once a second to whom they tell something.
      try await Task.sleep(for: .seconds(2))
      for node in last { await node.leave() }
      return EventTotals(line)
    }
  }

  extension TrialCluster {
    /// Starts a node whose sessions are told little by the nodes themselves.
    func movingNode(_ number: Int, build: Int32) throws -> NodeProcess {
      try node(
        "node\(number)",
        [
          "--build", "\(build)", "--settle", "2", "--callers", "0", "--tellers", "1", "--pause",
          "50",
        ])
    }

    /// Writes some sessions of each node to a file in the folder of the nodes.
    ///
    /// - Parameters:
    ///   - places: Which of the sessions of a node, in an order that no slice has its way in.
    ///   - file: What the file is called.
    /// - Throws: What the database refuses, or the disk.
    func writeSessions(_ places: ClosedRange<Int>, to file: String) async throws {
      let sessions = try await sql(
        """
        SELECT id FROM (
          SELECT id,
              row_number() OVER (PARTITION BY slice.owner ORDER BY substr(id::text, 25)) AS seat
            FROM proscenium.session JOIN proscenium.slice ON slice = (place & 65535) >> 6) AS seated
          WHERE seat BETWEEN \(places.lowerBound) AND \(places.upperBound)
          ORDER BY substr(id::text, 25)
        """)
      try "\(sessions)\n".write(
        toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
    }
  }
#endif
