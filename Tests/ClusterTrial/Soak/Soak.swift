// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives

  /// Kills and stops the nodes of a cluster, again and again, and looks whether anything was lost.
  struct Soak: Sendable {
    /// How a soak is run.
    struct Plan: Sendable {
      var kills: Int
      var stops: Int
      var nodes = 3
      var sessions = 200
      var seed: UInt64
      /// Leaves the lock out of the save.
      var isControl = false
      /// How long it goes on at most.
      var time: Duration

      /// The plan of one of several clusters.
      func seeded(_ number: Int) -> Plan {
        var plan = self
        plan.seed &+= UInt64(number)
        return plan
      }
    }

    /// What came of it.
    struct Result: Sendable {
      var kills = 0
      var stops = 0
      var mutes = 0
      var acknowledged = 0
      var loads = 0
      /// Messages that came, that were told to be lost, and that had to have come.
      var messages = (given: 0, lost: 0, proven: 0)
      var burials = 0
      /// Burials of nodes that were not stopped.
      var unexpected = 0
      var problems: [String] = []
      var seconds = 0.0
    }

    let plan: Plan
    let cluster: TrialCluster
    /// Is told how far it is.
    let progress: @Sendable (Result) -> Void

    func run() async throws -> Result {
      var random = SplitMix64(seed: plan.seed)
      let start = ContinuousClock.now
      var result = Result()
      if plan.isControl { try await cluster.breakTheFence() }
      var nodes = try await cluster.nodes(plan.nodes, making: plan.sessions / plan.nodes)
      // Whose processes were hurt, ever.
      var hurt: [String: Int] = [:]
      while result.kills < plan.kills || result.stops + result.mutes < plan.stops {
        guard ContinuousClock.now - start < plan.time else { break }
        let index = random.number(below: nodes.count)
        let node = nodes[index]
        hurt[node.name, default: 0] += 1
        let left = (plan.kills - result.kills, plan.stops - result.stops - result.mutes)
        let isKill = random.number(below: max(1, left.0 + left.1)) < left.0
        if isKill {
          result.kills += 1
          await node.end()
          try await pause(0.2...1.6, &random)
          nodes[index] = try cluster.node(node.name)
          try await nodes[index].wait(for: "ready")
        } else {
          let isMute = random.number(below: 2) == 0
          if isMute { result.mutes += 1 } else { result.stops += 1 }
          node.signal(isMute ? SIGUSR1 : SIGSTOP)
          try await pause(isMute ? 1.2...2.5 : 0.05...3, &random)
          node.signal(isMute ? SIGUSR2 : SIGCONT)
          try await pause(0...0.3, &random)
        }
        if plan.isControl {
          result.problems = try await cluster.stale()
          if !result.problems.isEmpty { break }
        }
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        progress(result)
      }
      for node in nodes { await node.leave() }
      try await judge(&result, hurt)
      result.seconds = (ContinuousClock.now - start) / .seconds(1)
      return result
    }

    private func judge(_ result: inout Result, _ hurt: [String: Int]) async throws {
      let checker = try await cluster.audit()
      result.acknowledged = checker.acknowledgements
      result.loads = checker.loads
      result.messages = (
        checker.messages.given, checker.messages.lost, checker.messages.proven
      )
      result.problems = checker.problems
      let sessions = try await cluster.sql("SELECT count(*) FROM proscenium.session")
      let expected = plan.sessions / plan.nodes * plan.nodes
      if sessions != "\(expected)" {
        result.problems.append("there are \(sessions) sessions of \(expected)")
      }
      for (name, count) in try await cluster.burials() {
        result.burials += count
        result.unexpected += max(0, count - hurt[name, default: 0])
      }
    }

    private func pause(
      _ leases: ClosedRange<Double>, _ random: inout SplitMix64
    ) async throws {
      let share = Double(random.number(below: 10_000)) / 10_000
      let factor = leases.lowerBound + share * (leases.upperBound - leases.lowerBound)
      // The faults are times of real processes.
      try await Task.sleep(for: .seconds(cluster.lease * factor))
    }
  }
#endif
