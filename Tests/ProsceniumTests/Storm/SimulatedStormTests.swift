// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Storms on one thread, where the seed decides what happens when: each is another interleaving,
/// and can be had again.
@Suite struct SimulatedStormTests {
  /// What a seed came to.
  private struct Outcome {
    var findings: [String] = []
    var records: [DecisionRecord] = []
    var steps = 0
  }

  private static func run(_ seed: UInt64) throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var plan = StormPlan(
      capacity: Int.random(in: 1...3, using: &random),
      groups: [1, 2, 8, 100].randomElement(using: &random) ?? 1,
      shards: [1, 2, 4, 64].randomElement(using: &random) ?? 1,
      configuration: StormPlan.Configuration.allCases.randomElement(using: &random) ?? .manifest,
      requests: 300, seed: seed)
    plan.sceneLimit = [nil, 0, 4, 20].randomElement(using: &random) ?? nil
    plan.takesForeground = Bool.random(using: &random)
    let executor = SeededExecutor(seed: seed)
    let storm = Storm(plan, on: executor)
    let findings = try executor.run(steps: 1_000_000) { try await storm.run() }
    return Outcome(findings: findings, records: storm.stage.trace.records, steps: executor.steps)
  }

  @Test(arguments: 0..<8)
  func `every callback equals an independent replay, whatever the seed`(part: Int) throws {
    for seed in SimulatedSeeds.part(part, of: 8) {
      let outcome = try Self.run(seed)
      #expect(outcome.findings.isEmpty, "seed \(seed)\n\(outcome.findings.joined(separator: "\n"))")
    }
  }

  @Test(arguments: [1, 2, 3, .max])
  func `the same seed is the same run, and another one is not`(seed: UInt64) throws {
    let first = try Self.run(seed)
    let again = try Self.run(seed)
    #expect(
      first.records.map(String.init(describing:)) == again.records.map(String.init(describing:)))
    #expect(first.steps == again.steps)
    let other = try Self.run(seed &+ 1)
    #expect(first.steps != other.steps)
  }
}
