// SPDX-License-Identifier: Apache-2.0

import Foundation
package import ProsceniumJSON
package import ProsceniumLoad

/// The files into which a program writes its results: a CSV file, and a page about this run.
package struct ResultFiles: ~Copyable, Sendable {
  private let run: String
  private let startedAt: Int64
  private let csv: String?
  private let report: String?
  private var writer: CSVWriter?

  /// Opens the files, so that one which cannot be written is found out before the run.
  ///
  /// - Parameters:
  ///   - program: The name of the program, with which the run's identifier begins.
  ///   - csv: The CSV file, which is continued, or nil for none.
  ///   - report: The page, which is replaced, or nil for none.
  /// - Throws: As `CSVWriter` does, and `.cannotOpen` for the page.
  package init(of program: String, csv: String?, report: String?) throws(FileError) {
    startedAt = Terminal.secondsSince1970
    var generator = SystemRandomNumberGenerator()
    run = RunIdentifier(of: program, startedAt: startedAt, using: &generator).description
    self.csv = csv
    self.report = report
    if let report { try Report.checkWritable(report) }
    writer = try csv.map { (path) throws(FileError) in
      try CSVWriter(appendingTo: path, run: run)
    }
  }

  /// Writes the results and under which circumstances they were got.
  ///
  /// - Returns: Where they are, one a line.
  package consuming func write(
    name: String, seed: UInt64?, _ results: [CSVRow]
  ) throws(FileError) -> String {
    let rows =
      CSVRow.meta(
        name: name, machine: Terminal.machine,
        commit: ProcessInfo.processInfo.environment["PROSCENIUM_COMMIT"] ?? "unknown",
        flags: CommandLine.arguments.dropFirst().joined(separator: " "), seed: seed,
        startedAt: startedAt) + results
    if var writer = writer.take() {
      try writer.write(rows)
      try writer.finish()
    }
    if let report { try Report(run: run, rows).write(to: report) }
    return [csv.map { "CSV: \($0)\n" }, report.map { "report: \($0)\n" }].compactMap { $0 }.joined()
  }
}
