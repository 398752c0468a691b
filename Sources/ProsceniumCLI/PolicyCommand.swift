// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad
import ProsceniumTerminal

/// `proscenium policy`: which scenes should be disconnected first, for the traffic of a log.
struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Compares the orders in which scenes are disconnected, on a real log.",
    discussion: """
      LOG is an access log, whose requests belong to the sessions that 'proscenium replay' gives \
      them to; or a recorded trace, in which each line is an event: the name of its session, or \
      seconds, a space and the name. The first line tells which.

      Where only so many scenes stay connected, an event hits if its session has one. Each row is \
      a policy, each column a number of scenes, and '*' marks the best of a column; the optimum \
      knows all events to come. The last line names the policy that is nearest to the optimum on \
      the average of the columns. Docs/PRESSURE.md says more.

      EXAMPLES
        proscenium policy access.log
        zcat access.log.*.gz | proscenium policy - --sizes 100,1000,10000
        proscenium policy sessions.txt --csv policy.csv
        proscenium policy --zipf 0.99 --scan 30
      """)

  @Argument(
    help: "The log or the recorded trace, plain or gzip; '-' is standard input.")
  var log: String?

  @Option(
    help: ArgumentHelp("How many scenes stay connected, up to 20 numbers.", valueName: "n,n,..."),
    transform: LoadOptions.reading("up to 20 different numbers from 1 to 10,000,000") {
      PolicyCommand.sizes($0)
    })
  var sizes: [Int]?

  @Option(
    help: ArgumentHelp(
      """
      Instead of a log draw 2,000,000 events of 100,000 sessions by Zipf's law with this \
      exponent: 0-4.
      """, valueName: "exponent"))
  var zipf: Double?

  @Option(
    help: ArgumentHelp(
      "How many of a hundred drawn events belong to scans of sessions that are used once: 0-99.",
      valueName: "percent"))
  var scan = 0

  @Option(
    help: ArgumentHelp(
      "Also write the results to a CSV file; an existing one is continued.", valueName: "file"))
  var csv: String?

  func validate() throws {
    guard (log == nil) != (zipf == nil) else {
      throw ValidationError("expected a log or --zipf, got \(log == nil ? "neither" : "both").")
    }
    if let zipf, !(0...4).contains(zipf) {
      throw ValidationError("expected --zipf from 0 to 4, got \(zipf).")
    }
    try FlagRange.check("--scan", scan, 0...99)
    if scan > 0, zipf == nil { throw ValidationError("--scan is about --zipf: expected both.") }
  }

  func run() throws {
    // Opened first, so that a long run does not end with a file that cannot be written.
    let files = try ResultFiles(of: "policy", csv: csv, report: nil)
    let trace = try readTrace()
    let progress = Terminal.progress()
    let comparison = PolicyComparison(trace, sizes: sizes ?? trace.suggestedSizes) {
      progress.show(Double($0) / Double($1)) { _ in ["comparing"] }
    }
    progress.end()
    _ = try files.write(name: name, seed: 1, comparison.csvRows(name: name))
    try Terminal.writeOutput(comparison.description)
  }

  private var name: String {
    guard let log else { return "Zipf" }
    return log == "-" ? "standard input" : log.split(separator: "/").last.map(String.init) ?? log
  }

  private func readTrace() throws -> PolicyTrace {
    if let zipf {
      var workload = PolicyWorkload()
      workload.exponent = zipf
      workload.scanPercent = scan
      return workload.trace()
    }
    let progress = Terminal.progress()
    defer { progress.end() }
    return try PolicyTraceReader.read(log ?? "-") {
      progress.show(Double($0) / Double($1)) { _ in ["reading"] }
    }
  }

  /// Reads numbers of scenes such as `100,1000`.
  private static func sizes(_ text: String) -> [Int]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let sizes = Set(parts.compactMap { Int($0) })
    guard parts.count <= 20, sizes.count == parts.count,
      sizes.allSatisfy((1...10_000_000).contains)
    else { return nil }
    return sizes.sorted()
  }
}
