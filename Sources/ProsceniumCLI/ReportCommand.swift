// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad
import ProsceniumTerminal

/// `proscenium report`: draws the results of runs, and compares them.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Draws results from CSV files as a page, and compares them.",
    discussion: """
      The page is one file, which opens without a network. Several files are columns side by \
      side; the ratio is the last column for each unit of the first one, the noise how far \
      repeated runs of one column lie apart. Docs/DASHBOARDS.md says more.

      With --threshold the last line is 'within …' (exit code 0), or 'worse: …' (1) where a figure \
      became worse by more than that, and by more than its noise. Files that are not as \
      Docs/CSV.md says give 2, and so do those that have no figure in common.

      EXAMPLES
        proscenium report load.csv -o report.html
        proscenium report before.csv after.csv -o compared.html --threshold 10%
      """)

  @Argument(help: ArgumentHelp("The CSV files; '-' is standard input.", valueName: "csv"))
  var files: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The page, which is replaced if it is there.", valueName: "file"))
  var output = "report.html"

  @Option(
    help: ArgumentHelp(
      "How much worse a figure may be in the last file than in the first, such as 10%.",
      valueName: "percent"),
    transform: LoadOptions.reading("a percentage such as 10%") { ReportCommand.share($0) })
  var threshold: Double?

  func validate() throws {
    if threshold != nil, files.count < 2 {
      throw ValidationError("expected two files or more with --threshold, got \(files.count).")
    }
    if files.count > Report.fileLimit {
      throw ValidationError(
        "expected at most \(Report.fileLimit) files, got \(files.count).")
    }
  }

  func run() throws {
    try Report.checkWritable(output)
    let report = try Report(reading: files)
    try report.write(to: output)
    if files.count > 1 { try Terminal.writeOutput(report.comparison.text + "\n") }
    try Terminal.writeOutput("report: \(output), \(report.runCount) runs\n")
    guard let threshold else { return }
    if let obstacle = report.comparison.obstacle {
      throw ValidationError("\(obstacle) for --threshold.")
    }
    let worse = report.comparison.worsened(by: threshold)
    let limit = "\(NumberText.fixed(100 * threshold, places: 1)) %"
    try Terminal.writeOutput(
      (worse.isEmpty ? "within \(limit)" : "worse: " + worse.joined(separator: "; ")) + "\n")
    if !worse.isEmpty { throw ExitCode(1) }
  }

  /// A percentage as a share; nil if the text is none, or not from 0 to 1,000.
  static func share(_ text: String) -> Double? {
    guard text.last == "%", let number = Double(text.dropLast()), (0...1_000).contains(number)
    else { return nil }
    return number / 100
  }
}
