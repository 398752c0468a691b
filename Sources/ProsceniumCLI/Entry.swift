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
    do {
      var command = try await command()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as ExitCode {
      exit(withError: error)
    } catch  where exitCode(for: error).isSuccess {
      show(fullMessage(for: error))
    } catch {
      fail(error)
    }
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

  /// The command that the arguments ask for.
  private static func command() async throws -> any ParsableCommand {
    do {
      return try await asyncParseAsRoot(
        LoadCommand.completed(CommandLine.arguments.dropFirst()))
    } catch  where !exitCode(for: error).isSuccess {
      throw ValidationError(oneLine(message(for: error)))
    }
  }

  /// A complaint of the parser, which lists the values that an option takes on lines of their own.
  private static func oneLine(_ message: String) -> String {
    message.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
  }

  /// Shows the help or the version, which was asked for; the parser would not look whether it can.
  private static func show(_ text: String) {
    do throws(FileError) {
      try Terminal.writeOutput(text + "\n")
    } catch {
      fail(error)
    }
  }

  /// Ends the program since input, flags or output cannot be used.
  private static func fail(_ error: any Error) -> Never {
    Terminal.complain(error)
    exit(withError: ExitCode(2))
  }
}

/// The version of the program and of the package, by the rules of semantic versioning.
enum ProgramVersion {
  static let current = "0.1.0"
}
