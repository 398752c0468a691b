// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ArgumentParser
import ProsceniumLoad

/// `proscenium generate-log`: writes an access log without real visitors.
struct GenerateLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-log",
    abstract: "Writes an access log in the combined format, as a small public web site would have.",
    discussion: """
      Few paths are popular, visits follow the hours of the day, and some visitors are robots. \
      Equal flags give equal lines on every machine.

      EXAMPLES
        proscenium generate-log --lines 1000 | head
        proscenium generate-log --lines 1000000 --users 50000 --seed 7 --output access.log
        proscenium generate-log | gzip | proscenium replay -
      """)

  @Option(help: "The number of lines.")
  var lines = 10_000

  @Option(help: "The number of users from whom visitors are drawn.")
  var users = 2_000

  @Option(help: "The number of different paths.")
  var paths = 1_500

  @Option(help: "The number of days that the lines are spread over.")
  var days = 4

  @Option(help: "The number of lines that are no requests.")
  var malformed = 0

  @Option(help: "The seed of everything that is drawn.")
  var seed: UInt64 = 1

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; '-' is standard output.", valueName: "file"))
  var output = "-"

  func run() async throws {
    let generator = try AccessLogGenerator(
      lines: lines, users: users, paths: paths, days: days, malformed: malformed, seed: seed)
    var writer = try LineWriter(path: output)
    try generator.generate { (line) throws(FileError) in try writer.write(line) }
    try writer.finish()
  }
}
