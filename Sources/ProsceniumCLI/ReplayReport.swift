// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad

/// The CSV file of a replay.
struct ReplayReport: ~Copyable {
  private var writer: CSVWriter
  private let startedAt: Int64
  private let name: String

  /// Opens the file, so that one which cannot be written is found out before the run.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - startedAt: The start of the run in seconds since 1970.
  ///   - log: The path of the log; its last part names the run.
  /// - Throws: As `CSVWriter` does.
  init(path: String, startedAt: Int64, log: String) throws(OutputError) {
    writer = try CSVWriter(appendingTo: path, run: "replay-\(startedAt)")
    self.startedAt = startedAt
    name = log == "-" ? "standard input" : log.split(separator: "/").last.map { String($0) } ?? log
  }

  /// Writes the results and under which circumstances they were got.
  consuming func write(_ summary: ReplaySummary) throws(OutputError) {
    try writer.write(
      CSVRow.meta(
        name: name, machine: Terminal.machine,
        commit: Terminal.environment("PROSCENIUM_COMMIT") ?? "unknown",
        flags: CommandLine.arguments.dropFirst().joined(separator: " "), seed: nil,
        startedAt: startedAt))
    try writer.write(summary.rows(name: name))
    try writer.finish()
  }
}
