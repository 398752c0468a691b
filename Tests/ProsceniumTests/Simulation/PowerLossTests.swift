// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

/// What is acknowledged is there after the power was lost, in whatever moment.
@Suite struct PowerLossTests {
  @Test(arguments: 0..<8)
  func `nothing that is acknowledged is lost, and nothing comes twice`(part: Int) throws {
    var total = DiarySimulation.Outcome()
    for seed in SimulatedSeeds.part(part, of: 8) {
      let outcome = try DiarySimulation(seed: seed).run()
      #expect(outcome.findings.isEmpty, "\(outcome.findings.joined(separator: "\n"))")
      total.acknowledged += outcome.acknowledged
      total.lost += outcome.lost
      total.counts.add(outcome.counts)
    }
    // What the seeds have to reach, or they prove nothing.
    #expect(total.acknowledged > 300)
    #expect(total.lost > 5)
    #expect(total.counts.refusals > 20)
    #expect(total.counts.survivors > 0)
    #expect(total.counts.casualties > 0)
  }

  @Test func `the same seed loses the same`() throws {
    for seed in UInt64(1)...5 {
      let simulations = (0..<2).map { _ in DiarySimulation(seed: seed) }
      let outcomes = try simulations.map { try $0.run() }
      #expect(outcomes[0] == outcomes[1])
      #expect(simulations[0].executor.steps == simulations[1].executor.steps)
    }
  }
}
