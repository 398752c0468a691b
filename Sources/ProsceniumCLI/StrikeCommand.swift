// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
import ProsceniumJemalloc
public import ProsceniumLoad

/// `proscenium strike`: what a running application makes of what the system does to it.
struct StrikeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strike",
    abstract: "Strikes an application under load, and counts at both ends what it delivered.",
    discussion: """
      churn disconnects scenes and discards sessions under load, squeeze takes nine tenths of the \
      memory away, and storm lets all sessions come back at once after a launch. What was accepted \
      is compared with what the scenes have, and once more after another launch. The last line is \
      'verified', or the exit code is 1. Ctrl-C ends the program: the figures above are \
      those that were complete, and nothing is verified.

      EXAMPLES
        proscenium strike
        proscenium strike churn --duration 180
        proscenium strike squeeze storm --sessions 10000 --folder /var/tmp
      """)

  @Argument(help: "What to do: churn, squeeze, storm; everything unless given.")
  var parts: [StrikeMeasurement.Part] = []

  @Option(parsing: .unconditional, help: "The number of sessions that are struck.")
  var sessions = 100_000

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

  @Option(parsing: .unconditional, help: "The number of shards.")
  var shards = 64

  @Option(
    parsing: .unconditional,
    help: "A folder on the disk of the store. (default: the system's for temporary files)")
  var folder: String?

  @Option(parsing: .unconditional, help: "What everything that is drawn is drawn from.")
  var seed: UInt64 = 1

  func validate() throws {
    try FlagRange.check("--shards", shards, 1...256)
    try FlagRange.check("--sessions", sessions, 1_000...10_000_000)
    try FlagRange.check("--rate", rate, 1...100_000_000)
    try FlagRange.check("--disconnects", disconnects, 0...1_000_000)
    try FlagRange.check("--discards", discards, 0...1_000_000)
    try FlagRange.check("--duration", duration, 1...86_400)
  }

  func run() async throws {
    let columns = TextColumns(widths: [-64, 13, 8])
    let folder = folder ?? FileManager.default.temporaryDirectory.path
    Terminal.trapInterrupts(
      removing: StrikeMeasurement.temporaryFolder(in: folder),
      saying: "not verified: stopped early\n", endsAtFirst: true)
    try Terminal.writeOutput(
      "\(Terminal.machine), strikes: \(NumberText.grouped(sessions)) sessions, \(shards) shards, "
        + "in \(folder)\n\n" + columns.row("path", "figure", "cores"))
    var measurement = StrikeMeasurement(
      folder: folder, clock: ContinuousClock(), meter: Jemalloc()
    ) { figure in
      Terminal.announce(
        columns.row(
          figure.name, figure.text,
          figure.processors.map { NumberText.fixed($0, places: 2) } ?? ""))
    }
    if !parts.isEmpty { measurement.parts = parts }
    measurement.sessions = sessions
    measurement.rate = rate
    measurement.disconnects = disconnects
    measurement.discards = discards
    measurement.seconds = Double(duration)
    measurement.shards = shards
    measurement.seed = seed
    let complaints = try await measurement.run()
    for complaint in complaints { Terminal.writeError("\(complaint)\n") }
    try Terminal.writeOutput(complaints.isEmpty ? "\nverified\n" : "\nnot verified\n")
    if !complaints.isEmpty { throw ExitCode.failure }
  }
}

extension StrikeMeasurement.Part: ExpressibleByArgument {}
