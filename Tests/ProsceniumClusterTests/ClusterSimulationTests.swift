// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import Testing

  /// Simulated clusters, each by a seed.
  @Suite(.timeLimit(.minutes(10))) struct ClusterSimulationTests {
    private static func number(_ name: String, or other: Int) -> Int {
      ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? other
    }

    private static let processors = ProcessInfo.processInfo.activeProcessorCount

    /// Each processor has a part of the seeds.
    @Test(arguments: 0..<processors)
    func `nothing is wrong in any cluster`(part: Int) {
      let first = Self.number("PROSCENIUM_CLUSTER_FIRST", or: 1)
      let count = Self.number("PROSCENIUM_CLUSTER_SEEDS", or: 200)
      let seeds = stride(from: first + part, to: first + count, by: Self.processors)
      var (acknowledgements, loads, burials, losses, steps) = (0, 0, 0, 0, 0)
      for seed in seeds {
        let simulation = ClusterSimulation(seed: UInt64(seed))
        let outcome = simulation.run()
        acknowledgements += outcome.acknowledgements
        loads += outcome.loads
        burials += outcome.burials
        losses += outcome.losses
        steps += outcome.steps
        guard !outcome.findings.isEmpty else { continue }
        Issue.record("seed \(seed): \(outcome.findings.prefix(5).joined(separator: "\n"))")
        if Self.number("PROSCENIUM_CLUSTER_ALL", or: 0) != 0 { continue }
        let traced = simulation.run(isTraced: true)
        let lines = Self.number("PROSCENIUM_CLUSTER_LINES", or: 200)
        print((["seed \(seed)"] + traced.lines.suffix(lines)).joined(separator: "\n"))
        #expect(traced.findings == outcome.findings, "seed \(seed) replays")
        return
      }
      print(
        "\(Array(seeds).count) seeds, \(steps) steps, \(acknowledgements) acknowledgements,"
          + " \(loads) loads, \(burials) burials, \(losses) losses")
      #expect(acknowledgements > 0 || Array(seeds).isEmpty)
    }

    @Test(arguments: [3, 7] as [UInt64])
    func `a seed is the same cluster each time`(seed: UInt64) {
      let simulation = ClusterSimulation(seed: seed)
      #expect(simulation.run(isTraced: true) == simulation.run(isTraced: true))
    }

    /// Slices that come back in an epoch in which the node has had them before.
    @Test(arguments: [132, 193, 210, 229] as [UInt64])
    func `what a node had before the database went back does not mix with what it has since`(
      seed: UInt64
    ) {
      var simulation = ClusterSimulation(seed: seed)
      simulation.options.balances = false
      #expect(simulation.run().findings.isEmpty)
    }

    /// A save was refused since its slice had gone, and the database went back before a look at the
    /// map saw that.
    @Test func `what was refused is served again when the database gives the slice back`() {
      var simulation = ClusterSimulation(seed: 527)
      simulation.options.balances = false
      #expect(simulation.run().findings.isEmpty)
    }

    /// A node is cut off and is buried, the heir is sent something, and the burial is undone: the
    /// node goes on with what it was sent before.
    @Test func `what an heir was given whose burial is undone does not count`() {
      #expect(ClusterSimulation(seed: 910).run().findings.isEmpty)
    }

    /// A node is taken for dead, its burial is undone, and each of the two then finds the other one
    /// to be another process than before.
    @Test func `what is for a node goes to the process that has its number now`() {
      #expect(ClusterSimulation(seed: 611).run().findings.isEmpty)
    }

    /// A change waits for the database, its slice goes and comes back in the same epoch, and the
    /// row of its session is lost.
    @Test func `what was changed before a slice went is not acknowledged when it is back`() {
      #expect(ClusterSimulation(seed: 199).run().findings.isEmpty)
    }
  }
#endif
