// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumCLI
@testable import ProsceniumSimulation

@Suite struct SimulationTextTests {
  @Test func `a seed that fails is told with the command that shows it again`() {
    var outcome = Simulation.Outcome()
    outcome.findings = ["the state 7 was lost"]
    let drawn = Simulation(seed: 7, steps: 5_000)
    var smaller = Simulation(seed: 7, steps: 300)
    smaller.options[.clients] = drawn.options[.clients] == 1 ? 2 : 1
    let text = SimulationText.failure(
      SimulationCampaign.Failure(simulation: drawn, outcome: outcome), smaller, outcome,
      ["a line", "wrong: the state 7 was lost", "a later line"])
    #expect(text.hasPrefix("\nseed 7 failed: the state 7 was lost\n"))
    #expect(text.contains("  wrong: the state 7 was lost\n"))
    #expect(text.contains("the last of 2 lines:\n  a line\n"))
    #expect(!text.contains("a later line"))
    #expect(
      text.hasSuffix(
        "again: proscenium simulate --seed 7 --steps 300 --set clients="
          + "\(smaller.options[.clients])\n"))
  }
}
