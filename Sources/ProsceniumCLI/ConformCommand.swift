// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad
import ProsceniumTestKit

/// `proscenium conform`: runs conformance suites against this build.
struct ConformCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Runs conformance suites, and shows where this build differs.",
    discussion: """
      A suite is a JSON file; its key "format" says what is in it. This build knows \
      scene-routing/1: predicates with their canonical strings, results and errors, and routing \
      decisions. Docs/ROUTING.md describes it.

      Each failing case gives one line: the file, the case, its note, and what was expected and \
      what came. The last line of output is 'N passed, M failed'. The exit code is 0 if nothing \
      failed, 1 if a case did, and 2 if a file does not fit its format: then nothing is run, and \
      the message names the place, such as $.cases[12].expect.rule.

      EXAMPLES
        proscenium conform routing.json
        proscenium conform suites/*.json
      """)

  @Argument(help: "The suites; '-' is standard input.")
  var files: [String]

  func run() async throws {
    var suites: [ConformanceFile] = []
    for file in files {
      suites.append(try ConformanceFile(FileContents.read(file), name: file))
    }
    var passed = 0
    var failed = 0
    for suite in suites {
      for result in await suite.suite.run() {
        guard let difference = result.difference else {
          passed += 1
          continue
        }
        failed += 1
        let note = result.note.map { " (\($0))" } ?? ""
        let line = "\(suite.name): \(result.id)\(note): \(difference)"
        Terminal.writeOutput(Terminal.oneLine(line) + "\n")
      }
    }
    Terminal.writeOutput("\(passed) passed, \(failed) failed\n")
    guard failed == 0 else { throw ExitCode(1) }
  }
}
