// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation

  /// What stores in PostgreSQL are tried and measured with: a private server, and what is to hold.
  @main struct ClusterTrial: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cluster-trial",
      abstract: "Measures and tries stores and clusters in PostgreSQL on a private server.",
      discussion: """
        A PostgreSQL server of its own is started on a free port of 127.0.0.1 with its data on the \
        disk, and removed at the end.

        EXAMPLES
          cluster-trial demo
          cluster-trial measure --runs 5 --seconds 4
          cluster-trial soak --kills 20 --stops 20
          cluster-trial faults
          cluster-trial links
          cluster-trial content
        """,
      subcommands: [
        DemoCommand.self, FaultsCommand.self, Measure.self, SoakCommand.self, TakeoverCommand.self,
        NodeCommand.self, LinksCommand.self, ContentCommand.self, LinkOwnerCommand.self,
      ])

    struct Measure: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Measures saving, behind the fence and without it, and whole lives of sessions.")

      @Option(help: "How often each is measured, in turns.")
      var runs = 5

      @Option(help: "How long each takes, in seconds.")
      var seconds = 3.0

      @Option(help: "How many sessions are saved, each with a state of 1 KiB.")
      var sessions = 50_000

      func validate() throws {
        guard (1...100).contains(runs), (0.1...600).contains(seconds),
          (512...1_000_000).contains(sessions)
        else {
          throw ValidationError("expected 1 to 100 runs of 0.1 to 600 s, 512 sessions or more")
        }
      }

      func run() async throws {
        let measurement = StoreMeasurement(runs: runs, seconds: seconds, sessions: sessions)
        say(try await measurement.run())
      }
    }
  }

  /// Writes a line at once, be the output a terminal or not.
  func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
#else
  @main struct ClusterTrial {
    static func main() {
      print("build it with: swift build --traits Complete,Links --product ClusterTrial")
    }
  }
#endif
