// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad
import ProsceniumSimulation

/// What a run of simulated worlds tells people.
enum SimulationText {
  /// How many lines of what happened are shown of a failure.
  private static let lineLimit = 40

  /// Says which worlds are run, and how they can be run again.
  static func beginning(_ campaign: SimulationCampaign) -> String {
    let last = campaign.firstSeed &+ UInt64(campaign.seeds - 1)
    let seeds =
      campaign.seeds == 1 ? "seed \(campaign.firstSeed)" : "seeds \(campaign.firstSeed) to \(last)"
    var text = "\(seeds), \(NumberText.grouped(campaign.steps)) steps each\n"
    if campaign.seeds == 1 { text += "options: \(campaign.simulation(0).options)\n" }
    return text
  }

  /// Says what a failing world came to, after it was made smaller.
  static func failure(
    _ failure: SimulationCampaign.Failure, _ simulation: Simulation,
    _ outcome: Simulation.Outcome, _ lines: [String]
  ) -> String {
    let seed = simulation.seed
    var text = "\nseed \(seed) failed: \(failure.outcome.findings[0])\n"
    text += "  options: \(failure.simulation.options)\n"
    text += "made smaller: \(NumberText.grouped(simulation.steps)) steps\n"
    text += "  options: \(simulation.options)\n"
    for finding in outcome.findings { text += "  wrong: \(finding)\n" }
    let end = lines.firstIndex { $0.contains("wrong: ") }.map { $0 + 1 } ?? lines.count
    let shown = lines[..<end].suffix(lineLimit)
    text += "what happened up to there, the last of \(NumberText.grouped(end)) lines:\n"
    for line in shown { text += "  \(line)\n" }
    let drawn = simulation.drawnOptions
    let fixed = SimulationOption.allCases.filter { simulation.options[$0] != drawn[$0] }
      .map { "\($0.name)=\(simulation.options[$0])" }
    text += "again: proscenium simulate --seed \(seed) --steps \(simulation.steps)"
    if !fixed.isEmpty { text += " --set \(fixed.joined(separator: ","))" }
    return text + "\n"
  }

  /// Says which other seeds failed, a line each.
  static func others(_ failures: ArraySlice<SimulationCampaign.Failure>) -> String {
    failures.map { "seed \($0.simulation.seed) failed: \($0.outcome.findings[0])\n" }.joined()
  }

  /// Says what was reached, how fast it went, and the verdict.
  static func ending(
    _ result: SimulationCampaign.Result, of campaign: SimulationCampaign, seconds: Double
  ) -> String {
    var text = "\n"
    for kind in SimulationCoverage.Kind.allCases { text += coverage(kind, result.coverage) }
    let missing = result.coverage.missing(below: 1)
    if !missing.isEmpty {
      text += "not reached: \(missing.map(\.name).joined(separator: ", "))\n"
    }
    let seeds = result.passed + result.failures.count
    text += "\(NumberText.grouped(result.steps)) steps in \(NumberText.fixed(seconds, places: 1)) s"
    if seconds > 0 {
      text += ", \(NumberText.rate(Double(result.steps) / seconds)) steps"
      text += ", \(NumberText.rate(Double(seeds) / seconds)) seeds"
    }
    // Nothing but an interrupt ends it before the first seed that fails.
    let isWhole = seeds == campaign.seeds || !campaign.keepsGoing && !result.failures.isEmpty
    return text + "\n\(result.passed) seeds passed, \(result.failures.count) failed"
      + (isWhole ? "\n" : ", stopped early\n")
  }

  private static func coverage(
    _ kind: SimulationCoverage.Kind, _ coverage: SimulationCoverage
  ) -> String {
    var table = TextTable([.left, .right], indent: 2)
    for name in SimulationCoverage.names(kind) { table.add(name, coverage[kind, name]) }
    return "\(kind.rawValue)s\n\(table)"
  }

  /// The options of worlds with what they mean.
  static var options: String {
    var table = TextTable([.left, .right, .left])
    table.add("option", "plain", "meaning")
    for option in SimulationOption.allCases {
      table.add(
        option.name, String(SimulationOptions.plain[option]), option.meaning)
    }
    return table.description
  }
}
