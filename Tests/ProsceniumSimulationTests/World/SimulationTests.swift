// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// Whole applications, in an order that a seed decides.
@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
  @Test(arguments: 0..<8)
  func `nothing is wrong in any world`(part: UInt64) {
    for seed in stride(from: part, to: 80, by: 8) {
      let simulation = Simulation(seed: seed, steps: 2_000)
      let outcome = simulation.run()
      #expect(
        outcome.findings.isEmpty,
        "seed \(seed), \(simulation.options)\n\(outcome.findings.joined(separator: "\n"))")
      #expect(outcome.steps >= 2_000)
    }
  }

  /// In 6771 a use was lost whose message was acknowledged; in 8375 a client attaches as the power
  /// goes off, which is no use that is kept.
  @Test(arguments: [6771, 8375])
  func `what was wrong in a world of many is wrong no more`(seed: UInt64) {
    let outcome = Simulation(seed: seed, steps: 5_000).run()
    #expect(outcome.findings == [])
  }

  @Test(arguments: [0, 7, .max])
  func `the same seed is the same world, and another one is not`(seed: UInt64) {
    let traces = (0..<2).map { _ in SimulationTrace() }
    let outcomes = traces.map { Simulation(seed: seed, steps: 1_000).run(tracing: $0) }
    #expect(outcomes[0] == outcomes[1])
    #expect(traces[0].lines == traces[1].lines)
    #expect(traces[0].lines.count > 100)
    #expect(Simulation(seed: seed &+ 1, steps: 1_000).run() != outcomes[0])
  }

  @Test func `taking down what happens changes nothing`() {
    let simulation = Simulation(seed: 3, steps: 1_000)
    #expect(simulation.run() == simulation.run(tracing: SimulationTrace()))
  }

  @Test func `worlds together reach all that there is`() async {
    var campaign = SimulationCampaign(firstSeed: 1, seeds: 150, steps: 1_500)
    campaign.threads = 2
    let result = await campaign.run(show: { _ in })
    #expect(result.passed == 150)
    // Nothing returns it.
    let missing = result.coverage.missing(below: 1).map(\.name)
    #expect(missing == [])
  }

  @Test func `however many seeds run at a time, the result is the same`() async {
    var campaign = SimulationCampaign(firstSeed: .max - 3, seeds: 8, steps: 300)
    campaign.fixed = [(.clients, 1)]
    let alone = await campaign.run(show: { _ in })
    campaign.threads = 3
    let together = await campaign.run(show: { _ in })
    #expect(alone.passed == 8)
    #expect(alone.steps == together.steps)
    #expect(alone.coverage == together.coverage)
    // Seeds go round the end of 64 bits.
    #expect(campaign.simulation(4).seed == 0)
    #expect(campaign.simulation(4).options[.clients] == 1)
  }

  @Test func `a run that is interrupted says what it has seen`() async {
    let seen = Guarded(0)
    var campaign = SimulationCampaign(firstSeed: 1, seeds: 1_000_000, steps: 50)
    campaign.threads = 2
    let result = await campaign.run(
      show: { progress in seen.withLock { $0 = progress.seeds } },
      isInterrupted: { seen.withLock { $0 >= 5 } })
    #expect((5...7).contains(result.passed))
    #expect(result.failures.isEmpty)
  }

  @Test func `options are printed as they are set, and stay in their range`() {
    var options = SimulationOptions.plain
    #expect(options.description == "")
    options[.clients] = 3
    options[.losses] = 100
    #expect(options.description == "losses=100,clients=3")
    for option in SimulationOption.allCases {
      #expect(option.range.contains(SimulationOptions.plain[option]), "\(option)")
      #expect(!option.meaning.isEmpty)
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let drawn = SimulationOptions(drawing: &random)
      for option in SimulationOption.allCases {
        #expect(option.range.contains(drawn[option]), "\(option)=\(drawn[option])")
      }
    }
  }
}

/// Worlds that fail.
@Suite(.timeLimit(.minutes(10))) struct FailingSimulationTests {
  @Test func `a failing world is made smaller, and fails in the same way`() async throws {
    var campaign = SimulationCampaign(firstSeed: 1, seeds: 20, steps: 3_000)
    campaign.makeFront = { ForgetfulDelegate($0) }
    // It passes nothing on that only clients ask for.
    campaign.fixed = [(.input, 0)]
    let failure = try #require(await campaign.run(show: { _ in }).failures.first)
    var shrinker = SimulationShrinker(failure)
    shrinker.shrink()
    #expect(shrinker.simulation.steps < 1_000)
    #expect(shrinker.simulation.options.special.count < 25)
    let again = shrinker.simulation.run()
    #expect(again == shrinker.outcome)
    #expect(again.findings.first?.contains("came") == true)
    // The same world is as it should be if its delegates are.
    var same = failure.simulation
    same.makeFront = nil
    #expect(same.run().findings == [])
  }

  @Test func `a run goes on after a seed that fails if it is to`() async {
    var campaign = SimulationCampaign(firstSeed: 1, seeds: 6, steps: 500)
    campaign.makeFront = { ForgetfulDelegate($0) }
    campaign.keepsGoing = true
    campaign.threads = 2
    let result = await campaign.run(show: { _ in })
    #expect(result.failures.count + result.passed == 6)
    #expect(result.failures.count > 1)
    let seeds = result.failures.map(\.simulation.seed)
    #expect(seeds == seeds.sorted())
  }
}
