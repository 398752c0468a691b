// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium

  /// A session ends each process that serves it, and each of these is started again.
  struct PoisonedSession: Fault {
    let name = "a session that ends each process"

    private static let limit = 3
    private static let arguments = ["--death-limit", "\(limit)"]

    func run(on cluster: TrialCluster) async throws -> FaultOutcome {
      var nodes: [NodeProcess] = []
      for number in 0..<4 {
        let poison = number == 0 ? ["--poison"] : []
        nodes.append(
          try cluster.node(
            "node\(number)", ["--create", "20", "--settle", "2"] + Self.arguments + poison))
      }
      let line = try await nodes[0].wait(forLineWith: "poisoned ")
      guard let session = SessionIdentifier(String(line.dropFirst("poisoned ".count))) else {
        throw TrialFailure("expected a session, found \"\(line)\"")
      }
      var outcome = FaultOutcome()
      let isParked =
        "SELECT deaths >= \(Self.limit) FROM proscenium.slice WHERE slice = \(session.high >> 54)"
      var deaths = 0
      let start = ContinuousClock.now
      while try await cluster.sql(isParked) != "t" {
        deaths += try startAgain(&nodes, on: cluster)
        guard ContinuousClock.now - start < .seconds(60 + 20 * cluster.lease) else {
          throw TrialFailure("the slice was not parked after \(deaths) deaths")
        }
      }
      deaths += try startAgain(&nodes, on: cluster)
      // What is left alone now goes on being served, which is seen after a while alone.
      try await Task.sleep(for: .seconds(3 * cluster.lease))
      let late = try startAgain(&nodes, on: cluster)
      let parked = try await cluster.sql(
        "SELECT count(*) FROM proscenium.slice WHERE deaths >= \(Self.limit)")
      outcome.figures.append("\(deaths) processes ended; \(parked) slices of 1,024 parked")
      if late > 0 { outcome.problems.append("\(late) processes ended after the slice was parked") }
      for node in nodes { await node.leave() }
      outcome.judge(try await cluster.audit(Self.arguments))
      return outcome
    }

    /// Starts what has ended, as a supervisor does; gives how many these were.
    private func startAgain(
      _ nodes: inout [NodeProcess], on cluster: TrialCluster
    ) throws -> Int {
      var count = 0
      for (index, node) in nodes.enumerated() where !node.isRunning {
        nodes[index] = try cluster.node(node.name, Self.arguments)
        count += 1
      }
      return count
    }
  }
#endif
