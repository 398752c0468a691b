// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Proscenium

/// The program: its commands, and the way in which it ends.
@main struct Entry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proscenium",
    abstract: "Drives a scene runtime with real and generated load, and checks what it did.",
    discussion: """
      Every check ends with a verdict, its last line of output, and with an exit code: 0 is good, \
      1 means that it failed, 2 that input or flags cannot be used.

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
      """,
    version: ProgramVersion.current,
    subcommands: [
      LoadCommand.self, ReplayCommand.self, ReportCommand.self, GenerateLogCommand.self,
      SimulateCommand.self, StrikeCommand.self,
      PolicyCommand.self, RouteCommand.self, PredicateCommand.self, ConformCommand.self,
      ManifestCommand.self,
      InspectCommand.self, VerifyCommand.self, ForgetCommand.self, BackupCommand.self,
      CrashTestCommand.self, CrashWriterCommand.self,
    ])

  static func main() async {
    Terminal.endQuietlyAtClosedPipe()
    var command: any ParsableCommand
    do {
      command = try await asyncParseAsRoot(LoadCommand.completed(CommandLine.arguments.dropFirst()))
    } catch  where exitCode(for: error).isSuccess {
      // Help or version, which was asked for.
      exit(withError: error)
    } catch {
      fail(oneLine(message(for: error)))
    }
    do {
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as ExitCode {
      exit(withError: error)
    } catch  where exitCode(for: error).isSuccess {
      exit(withError: error)
    } catch let error as StoreError {
      fail((error.session.map { "session \($0): " } ?? "") + error.message)
    } catch {
      fail("\(error)")
    }
  }

  /// A complaint of the parser, which lists the values that an option takes on lines of their own.
  private static func oneLine(_ message: String) -> String {
    message.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
  }

  /// Ends the program since its input or flags cannot be used.
  private static func fail(_ message: String) -> Never {
    Terminal.writeError("proscenium: \(message)\n")
    exit(withError: ExitCode(2))
  }
}
