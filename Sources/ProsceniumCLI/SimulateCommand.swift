// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumJSON
import ProsceniumLoad
import ProsceniumSimulation
import ProsceniumTerminal

/// `proscenium simulate`: runs whole applications on one thread, in an order that a seed decides.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract:
      "Runs whole applications in an order that a seed decides, and looks for what is wrong.",
    discussion: """
      Each seed is a world of its own: an application with its scenes, shards and store, clients \
      and a system that strikes, on one thread and with a clock of their own. The same seed is the \
      same world in every process. What is seen is held against a model of the rules. A seed that \
      fails is made smaller, and printed with the command that shows it again. Docs/TESTING.md \
      says more.

      The last line is 'N seeds passed, M failed'; the exit code is 1 if one failed, 2 if the \
      flags cannot be used. Ctrl-C ends the run with what it has seen, and the last line says so.

      EXAMPLES
        proscenium simulate --seeds 2000
        proscenium simulate --seed 7 --trace world.txt
        proscenium simulate --seed 7 --set clients=1,lives=2
        proscenium simulate --options
      """)

  @Option(
    help: "The first seed, any number of 64 bits; one is drawn unless given.")
  var seed: UInt64?

  @Option(help: "How many seeds are run, counting up from the first; 1 with --seed, else 200.")
  var seeds: Int?

  @Option(help: "After how many steps a world comes to its end.")
  var steps = 5_000

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Sets options of the worlds that would be drawn.", valueName: "option=value,..."))
  var settings: SimulationSettingsArgument?

  @Option(
    help: ArgumentHelp("Writes what happens in the worlds, line by line.", valueName: "file"))
  var trace: String?

  @Flag(name: .customLong("keep-going"), help: "Runs all seeds, also after one that fails.")
  var keepsGoing = false

  @Flag(help: "Lists the options of worlds, and ends.")
  var options = false

  func validate() throws {
    if let seeds { try FlagRange.check("--seeds", seeds, 1...1_000_000_000) }
    try FlagRange.check("--steps", steps, 1...1_000_000_000)
  }

  func run() async throws {
    if options { return try Terminal.writeOutput(SimulationText.options) }
    let campaign = campaign()
    // Opened first, so that a long run does not end with a file that cannot be written.
    var writer = try trace.map { (path) throws(FileError) in try LineWriter(path: path) }
    Terminal.trapInterrupts()
    try Terminal.writeOutput(SimulationText.beginning(campaign))
    let progress = Terminal.progress()
    let result = await campaign.run(
      show: { SimulationText.show($0, of: campaign.seeds, progress) },
      isInterrupted: { Terminal.isInterrupted })
    progress.end()
    if let writer = writer.take() { try Self.write(campaign, to: writer) }
    if let first = result.failures.first { try Self.explain(first) }
    try Terminal.writeOutput(SimulationText.others(result.failures.dropFirst()))
    try Terminal.writeOutput(
      SimulationText.ending(result, of: campaign, seconds: progress.elapsed / .seconds(1)))
    if !result.failures.isEmpty { throw ExitCode(1) }
  }

  private func campaign() -> SimulationCampaign {
    var generator = SystemRandomNumberGenerator()
    var campaign = SimulationCampaign(
      firstSeed: seed ?? UInt64(generator.next() as UInt32),
      seeds: seeds ?? (seed == nil ? 200 : 1), steps: steps)
    campaign.fixed = settings?.values ?? []
    campaign.keepsGoing = keepsGoing
    campaign.threads = Terminal.processors
    return campaign
  }

  /// Runs the worlds again, and writes what happens in them.
  private static func write(
    _ campaign: SimulationCampaign, to writer: consuming LineWriter
  ) throws(FileError) {
    for index in 0..<campaign.seeds where !Terminal.isInterrupted {
      let simulation = campaign.simulation(index)
      let trace = SimulationTrace()
      let outcome = simulation.run(tracing: trace)
      try writer.write("seed \(simulation.seed) \(simulation.options)")
      for line in trace.lines { try writer.write(line) }
      for finding in outcome.findings { try writer.write("wrong: \(finding)") }
    }
    if Terminal.isInterrupted { try writer.write("stopped early") }
    try writer.finish()
  }

  /// Makes a failing world smaller, and shows it.
  private static func explain(
    _ failure: SimulationCampaign.Failure
  ) throws(FileError) {
    var shrinker = SimulationShrinker(failure)
    shrinker.shrink { Terminal.isInterrupted }
    let trace = SimulationTrace()
    _ = shrinker.simulation.run(tracing: trace)
    try Terminal.writeOutput(
      SimulationText.failure(failure, shrinker.simulation, shrinker.outcome, trace.lines))
  }
}

/// Options of simulated worlds with their values, written as `clients=1,lives=2`.
struct SimulationSettingsArgument: ExpressibleByArgument {
  /// The options in the order in which they were written.
  let values: [(option: SimulationOption, value: Int)]

  init?(argument: String) {
    var values: [(option: SimulationOption, value: Int)] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let value = Int(sides[1]),
        let option = SimulationOption.allCases.first(where: { $0.name == sides[0] }),
        option.range.contains(value), !values.contains(where: { $0.option == option })
      else { return nil }
      values.append((option, value))
    }
    self.values = values
  }
}

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

  /// Shows how far a run has come.
  static func show(
    _ position: SimulationCampaign.Progress, of seeds: Int, _ progress: ProgressLine
  ) {
    progress.show(Double(position.seeds) / Double(max(seeds, 1))) { seconds in
      [
        "\(NumberText.grouped(position.seeds)) of \(NumberText.grouped(seeds)) seeds",
        "\(NumberText.grouped(position.failed)) failed",
        NumberText.rate(Double(position.seeds) / seconds) + " seeds",
        NumberText.rate(Double(position.steps) / seconds) + " steps",
      ]
    }
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
    for kind in SimulationCoverage.Kind.allCases { text += coverage(kind, result) }
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
    _ kind: SimulationCoverage.Kind, _ result: SimulationCampaign.Result
  ) -> String {
    let seeds = max(result.passed + result.failures.count, 1)
    var table = TextTable([.left, .right, .right], indent: 2)
    for name in SimulationCoverage.names(kind) {
      let share =
        Double(
          result.seeds[
            SimulationCoverage.Key(kind: kind, name: name), default: 0]) / Double(seeds)
      table.add(
        name, NumberText.grouped(result.coverage[kind, name]),
        "in \(NumberText.fixed(share * 100, places: 1)) % of the seeds")
    }
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
