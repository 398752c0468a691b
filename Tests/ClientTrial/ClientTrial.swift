// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Clients over sockets, whose server is killed and restarted: nothing that was acknowledged is
/// lost, and nothing is done or shown twice.
@main struct ClientTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client-trial",
    abstract: "Kills and restarts a server under clients whose lines break.",
    discussion: """
      Each client has a session of its own, sends numbered input to it, and knows what it has to \
      be shown. Its line breaks at any moment, also in the middle of a message. The server is a \
      process of its own, with a store on a disk and a commit for every event.

      EXAMPLES
        client-trial run --seconds 60 --kills 4 --restarts 4
      """,
    subcommands: [Run.self, Serve.self], defaultSubcommand: Run.self)

  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Serves clients until it is terminated; what `run` starts.", shouldDisplay: false)

    @Argument(help: "The folder of the store and of the socket.")
    var folder: String

    @Option(help: "How many sessions there are.")
    var sessions = 200

    func run() async throws {
      try await TrialServer(folder: folder, sessions: sessions).run()
    }
  }

  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Runs the trial.")

    @OptionGroup var plan: TrialPlan

    func run() async throws {
      let report = try await TrialRun(plan).run()
      print(report.text)
      if !report.findings.isEmpty { throw ExitCode.failure }
    }
  }
}

/// What happens in a trial.
struct TrialPlan: ParsableArguments {
  @Option(help: "How many clients there are.")
  var clients = 200

  @Option(help: "How long they send, in seconds.")
  var seconds = 60.0

  @Option(help: "How many inputs a second they send together.")
  var rate = 2_000.0

  @Option(help: "How many lines break in a second.")
  var breaks = 100.0

  @Option(help: "How often the server is killed.")
  var kills = 4

  @Option(help: "How often the server is restarted in order.")
  var restarts = 4

  @Option(help: "What decides when lines break.")
  var seed: UInt64 = 1
}
