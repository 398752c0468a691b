// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ArgumentParser
import Foundation
import Proscenium
import ProsceniumLoad
import ProsceniumTerminal

/// The program: its commands, and the way in which it ends.
@main struct Entry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proscenium",
    abstract: "Drives a scene runtime with real and generated load, and checks what it did.",
    discussion: """
      Every check ends with a verdict, its last line of output, and with an exit code: 0 is good, \
      1 means that it failed, 2 that input or flags cannot be used, or that output cannot be \
      written. A closed pipe ends the program quietly, as it ends cat. A message on standard error \
      that cannot be written changes nothing.

      EXAMPLES
        proscenium load churn --duration 60s
        proscenium report load.csv -o report.html
        proscenium generate-log --lines 100000 --output access.log
        proscenium replay access.log --connected 200 --csv replay.csv
        zcat access.log.*.gz | proscenium replay -
        proscenium simulate --seeds 2000
        proscenium policy access.log
        proscenium predicate 'SELF BEGINSWITH "news/"' --match news/1
        proscenium route --conditions sessions.json --identifier news/1 --explain
        proscenium conform routing.json
        proscenium manifest Info.plist
        proscenium inspect sessions.store
        proscenium verify sessions.store
        proscenium store copy sessions.store postgres://app@db/sessions
        proscenium cluster status postgres://app@db/sessions
      """,
    version: ProgramVersion.current,
    subcommands: [
      LoadCommand.self, ReplayCommand.self, ReportCommand.self, GenerateLogCommand.self,
      SimulateCommand.self,
      PolicyCommand.self, RouteCommand.self, PredicateCommand.self, ConformCommand.self,
      ManifestCommand.self,
      InspectCommand.self, VerifyCommand.self, ForgetCommand.self, BackupCommand.self,
      StoreCommand.self,
      CrashTestCommand.self, CrashWriterCommand.self,
    ])

  static func main() async {
    Terminal.prepareStreams()
    becomeOtherProgram()
    await runProgram(LoadCommand.completed(CommandLine.arguments.dropFirst()))
  }

  /// Runs another program in the place of this one, if the arguments ask for it.
  private static func becomeOtherProgram() {
    let arguments = OtherProgram.completed(Array(CommandLine.arguments.dropFirst()))
    let commands = Set(configuration.subcommands.compactMap { $0.configuration.commandName })
    let folder = (Terminal.programPath as NSString).deletingLastPathComponent
    if let other = OtherProgram(arguments, besides: commands, in: folder) {
      other.execute()
      exit(withError: ExitCode(2))
    }
    if let advice = OtherProgram.advice(arguments) { fail(ValidationError(advice)) }
  }
}

/// The version of the program and of the package, by the rules of semantic versioning.
enum ProgramVersion {
  static let current = "0.1.0"
}
