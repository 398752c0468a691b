// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

/// A wake that was promised comes exactly once, whenever the power is lost.
@Suite struct WakePowerLossTests {
  @Test(arguments: 0..<8)
  func `what a wake led to is durable once, and no wake is lost`(part: Int) throws {
    var total = WakeSimulation.Outcome()
    for seed in SimulatedSeeds.part(part, of: 8) {
      let outcome = try WakeSimulation(seed: seed).run()
      #expect(outcome.findings.isEmpty, "\(outcome.findings.joined(separator: "\n"))")
      total.promised += outcome.promised
      total.cancelled += outcome.cancelled
      total.uncertain += outcome.uncertain
      total.given += outcome.given
      total.counts.add(outcome.counts)
    }
    // What the seeds have to reach, or they prove nothing.
    #expect(total.promised > 200)
    #expect(total.cancelled > 10)
    #expect(total.uncertain > 20)
    // Some were given in a life of which the disk knows nothing, and again in a later one.
    #expect(total.given > total.promised)
    #expect(total.counts.refusals > 20)
    #expect(total.counts.survivors > 0)
    #expect(total.counts.casualties > 0)
  }

  @Test func `the same seed comes to the same`() throws {
    for seed in UInt64(1)...3 {
      let simulations = (0..<2).map { _ in WakeSimulation(seed: seed) }
      let outcomes = try simulations.map { try $0.run() }
      #expect(outcomes[0] == outcomes[1])
      #expect(simulations[0].executor.steps == simulations[1].executor.steps)
    }
  }
}
