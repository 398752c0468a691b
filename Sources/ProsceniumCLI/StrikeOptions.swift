// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
public import ProsceniumLoad

/// The flags of `proscenium measure strikes`, and its run.
struct StrikeOptions: ParsableArguments {
  @Option(
    name: .customLong("strike"), parsing: .unconditionalSingleValue,
    help: "What to do: churn, squeeze, storm; can be given several times.")
  var parts: [StrikeMeasurement.Part] = []

  @Option(parsing: .unconditional, help: "The number of sessions that are struck.")
  var struck = 100_000

  @Option(parsing: .unconditional, help: "How many messages a second are sent.")
  var rate = 520_000

  @Option(parsing: .unconditional, help: "How many scenes a second are disconnected.")
  var disconnects = 10_000

  @Option(
    parsing: .unconditional,
    help: "How many sessions a second are discarded, each followed by a new one.")
  var discards = 1_000

  @Option(parsing: .unconditional, help: "How long the strikes last, in seconds.")
  var duration = 30

  func validate() throws {
    try MeasureCommand.check("--struck", struck, 1_000...10_000_000)
    try MeasureCommand.check("--rate", rate, 1...100_000_000)
    try MeasureCommand.check("--disconnects", disconnects, 0...1_000_000)
    try MeasureCommand.check("--discards", discards, 0...1_000_000)
    try MeasureCommand.check("--duration", duration, 1...86_400)
  }

  /// Strikes, and writes what was found.
  ///
  /// - Parameters:
  ///   - shards: How many shards the runtime has.
  ///   - folder: An existing folder on the disk of the store; nil for the system's.
  ///   - seed: What everything that is drawn is drawn from.
  /// - Throws: `ExitCode.failure` if something was lost.
  func measure(shards: Int, folder: String?, seed: UInt64) async throws {
    let columns = TextColumns(widths: [-64, 13, 8])
    let folder = folder ?? FileManager.default.temporaryDirectory.path
    Terminal.writeOutput(
      "\(Terminal.machine), strikes: \(NumberText.grouped(struck)) sessions, \(shards) shards, "
        + "in \(folder)\n\n" + columns.row("path", "figure", "cores"))
    var measurement = StrikeMeasurement(
      folder: folder, clock: ContinuousClock(), meter: Jemalloc()
    ) { figure in
      Terminal.writeOutput(
        columns.row(
          figure.name, figure.text,
          figure.processors.map { NumberText.fixed($0, places: 2) } ?? ""))
    }
    if !parts.isEmpty { measurement.parts = parts }
    measurement.sessions = struck
    measurement.rate = rate
    measurement.disconnects = disconnects
    measurement.discards = discards
    measurement.seconds = Double(duration)
    measurement.shards = shards
    measurement.seed = seed
    let ready = measurement
    let complaints = try await Interruption.watching(removeFiles: { ready.removeFolder() }) {
      try await ready.run()
    }
    for complaint in complaints { Terminal.writeError("\(complaint)\n") }
    Terminal.writeOutput(complaints.isEmpty ? "\nverified\n" : "\nnot verified\n")
    if !complaints.isEmpty { throw ExitCode.failure }
  }
}

extension StrikeMeasurement.Part: ExpressibleByArgument {}
