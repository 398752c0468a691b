// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProsceniumLoad

/// The flags of `proscenium measure snapshots`, and its run.
struct SnapshotOptions: ParsableArguments {
  /// A group of workloads.
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case rate, latency, codec, restore, launch
  }

  @Option(
    name: .customLong("of"), parsing: .unconditionalSingleValue,
    help: "What to measure: rate, latency, codec, restore, launch; can be given several times.")
  var parts: [Part] = []

  @Option(parsing: .unconditional, help: "The number of sessions that are overwritten.")
  var drafts = 100_000

  @Option(parsing: .unconditional, help: "The number of sessions that a launch finds.")
  var stored = 1_000_000

  @Option(parsing: .unconditional, help: "How long each rate is measured.")
  var seconds = 10

  @Option(
    parsing: .unconditional,
    help: "A folder on the disk that is measured. (default: the system's for temporary files)")
  var folder: String?

  func validate() throws {
    try MeasureCommand.check("--drafts", drafts, 8...10_000_000)
    try MeasureCommand.check("--stored", stored, 1...100_000_000)
    try MeasureCommand.check("--seconds", seconds, 1...3_600)
  }

  /// Measures and writes what was found.
  func measure(shards: Int) async throws {
    let columns = TextColumns(widths: [-64, 13, 8])
    let folder = folder ?? FileManager.default.temporaryDirectory.path
    Terminal.writeOutput(
      "\(Terminal.machine), snapshots: \(NumberText.grouped(drafts)) sessions, "
        + "\(seconds) s a rate, \(shards) shards, in \(folder)\n\n"
        + columns.row("path", "figure", "cores"))
    var measurement = SnapshotMeasurement(
      folder: folder, clock: ContinuousClock(), meter: Jemalloc()
    ) { figure in
      Terminal.writeOutput(
        columns.row(
          figure.name, figure.text,
          figure.processors.map { NumberText.fixed($0, places: 2) } ?? ""))
    }
    if !parts.isEmpty {
      measurement.parts = Set(
        parts.compactMap { SnapshotMeasurement.Part(rawValue: $0.rawValue) })
    }
    measurement.sessions = drafts
    measurement.storedSessions = stored
    measurement.seconds = Double(seconds)
    measurement.shards = shards
    let ready = measurement
    try await Interruption.watching(removeFiles: { ready.removeFolder() }) { try await ready.run() }
  }
}
