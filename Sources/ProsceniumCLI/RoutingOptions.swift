// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad

/// The flags of `proscenium measure routing`, and its run.
struct RoutingOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: "A number of sessions; can be given several times. (default: 10, 1000, 10000 …)")
  var sessions: [Int] = []

  @Option(parsing: .unconditional, help: "The number of decisions in a batch.")
  var batch = 256

  @Option(parsing: .unconditional, help: "How often each way to route is timed; the middle counts.")
  var rounds = 3

  @Option(
    name: .customLong("milliseconds"), parsing: .unconditional,
    help: "How long each way to route is timed in a round.")
  var milliseconds = 80

  @Option(parsing: .unconditional, help: "How many lookups are prepared; at least one a session.")
  var lookups = 262_144

  @Option(
    parsing: .unconditional,
    help: "Fixes what is drawn: identifiers, their order, and who is struck.")
  var seed: UInt64 = 1

  func validate() throws {
    for count in sessions { try MeasureCommand.check("--sessions", count, 1...10_000_000) }
    try MeasureCommand.check("--batch", batch, 1...100_000)
    try MeasureCommand.check("--rounds", rounds, 1...1_000)
    try MeasureCommand.check("--milliseconds", milliseconds, 1...60_000)
    try MeasureCommand.check("--lookups", lookups, 1...10_000_000)
  }

  /// Measures and writes what was found.
  ///
  /// - Throws: `ExitCode(1)` if a decision was wrong.
  func measure() async throws {
    let text = RoutingText(batch: batch)
    Terminal.writeOutput(
      "\(Terminal.machine), routing: the middle of \(rounds) rounds of \(milliseconds) ms, "
        + "seed \(seed)\n" + text.header)
    var measurement = RoutingMeasurement(clock: ContinuousClock(), meter: Jemalloc()) {
      Terminal.writeOutput(text.decisions($0))
    }
    if !sessions.isEmpty { measurement.sessions = sessions }
    measurement.batch = batch
    measurement.rounds = rounds
    measurement.seconds = Double(milliseconds) / 1_000
    measurement.lookups = lookups
    measurement.seed = seed
    let report = try await measurement.run()
    Terminal.writeOutput(text.closing(report))
    guard report.wrong == 0 else {
      Terminal.writeOutput("failed: \(NumberText.grouped(report.wrong)) decisions were wrong\n")
      throw ExitCode(1)
    }
    Terminal.writeOutput("verified\n")
  }
}
