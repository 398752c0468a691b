// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ArgumentParser
import ProsceniumLoad
import ProsceniumTerminal
import ProsceniumTestKit

/// `proscenium conform`: runs conformance suites against this build.
struct ConformCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Runs conformance suites, and shows where this build differs.",
    discussion: """
      A suite is a JSON file of the format scene-conformance/1 (Docs/CONFORMANCE.md) or \
      scene-routing/1 (Docs/ROUTING.md). Each failing case gives one line: the file, the case, its \
      title, and what was expected and what came.

      The last line is 'N passed, M failed'. The exit code is 0 if nothing failed, 1 if a case \
      did, and 2 if a file does not fit its format: then nothing is run, and the message names the \
      place, such as $.vectors[12].steps[0].cmd.

      EXAMPLES
        proscenium conform routing.json
        proscenium conform --shards 1 --verbose vectors.json
        proscenium conform --dont-keep-scenes suites/*.json
      """)

  @Argument(help: "The suites; '-' is standard input.")
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "How many shards an application has: 1 to 256, rounded up to a power of two. What happens "
        + "must not depend on it.", valueName: "count"))
  var shards = 64

  @Flag(
    help: ArgumentHelp(
      "Disconnect each scene as soon as it has settled in the background. Then only what is "
        + "stored is compared, which must not depend on how long scenes are kept."))
  var dontKeepScenes = false

  @Flag(name: .shortAndLong, help: "Give a line for every case, also for those that pass.")
  var verbose = false

  func validate() throws {
    try FlagRange.check("--shards", shards, 1...256)
  }

  func run() async throws {
    var options = ConformanceOptions()
    options.shards = shards
    options.keepsScenes = !dontKeepScenes
    var suites: [ConformanceFile] = []
    for file in files {
      suites.append(try ConformanceFile(FileContents.read(file), name: file))
    }
    var passed = 0
    var failed = 0
    for suite in suites {
      for result in await suite.suite.run(options) {
        if result.difference == nil { passed += 1 } else { failed += 1 }
        if verbose || result.difference != nil { try show(result, of: suite) }
      }
    }
    try Terminal.writeOutput("\(passed) passed, \(failed) failed\n")
    guard failed == 0 else { throw ExitCode(1) }
  }

  private func show(
    _ result: ConformanceResult, of suite: ConformanceFile
  ) throws(FileError) {
    let note = result.note.map { " (\($0))" } ?? ""
    let line = "\(suite.name): \(result.id)\(note): \(result.difference ?? "passed")"
    try Terminal.writeOutput(Terminal.oneLine(line) + "\n")
  }
}
