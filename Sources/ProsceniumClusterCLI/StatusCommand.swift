// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import Proscenium
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium cluster status`: shows the nodes and the slices of a cluster.
  struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Shows the nodes of a cluster, and which slices of the sessions have an owner.",
      discussion: """
        Nothing is changed, and what is shown is the cluster as it was at one moment. Each node \
        gives a line:

          node         its number, which is never given again
          state        live, draining or dead, which is buried; or silent: not
                       buried, and not heard of for more than 5 s
          slices       how many it owns, and which part of all, drawn
          heard of     the age of its last sign of life, by the database's clock;
                       it is for people, nodes measure for themselves

        A slice is parked if its owners died one after the other; nodes do not serve it until \
        'release' says so. A slice without an owner is taken up within seconds by a node that \
        lives. The last line is the verdict, and the exit code says the same:

          0   every slice has an owner that lives
          1   not all is served, and what is wrong
          2   no store of this version is reached, as a line on standard error says

        EXAMPLES
          proscenium cluster status postgres://app@db/sessions
          proscenium cluster status postgres://app@db/sessions --watch
          proscenium cluster status postgres://app@db/sessions --json | jq .slices
        """)

    @Argument(help: "The address of the database.")
    var address: String

    @OptionGroup var deaths: DeathLimitOption

    @Flag(help: "Write JSON, an object a line.")
    var json = false

    @Flag(help: "Look again every second, until Ctrl-C.")
    var watch = false

    func run() async throws {
      if watch { Terminal.trapInterrupts() }
      let place = try PostgresAddress(address).place
      var isServed = try await show(place)
      while watch, !Terminal.isInterrupted {
        do {
          for _ in 0..<10 where !Terminal.isInterrupted {
            try await ContinuousClock().sleep(for: .milliseconds(100))
          }
          if !Terminal.isInterrupted { isServed = try await show(place) }
        } catch let error as StoreError {
          // It may be there again at the next look.
          isServed = false
          Terminal.complain(error)
        }
      }
      if !isServed { throw ExitCode(1) }
    }

    /// Looks once; returns whether every slice is served.
    private func show(_ place: String) async throws -> Bool {
      let text = ClusterStatusText(
        try await ClusterStatus.read(address), place: place, deathLimit: deaths.deathLimit)
      if json {
        try Terminal.writeOutput("\(text.json)\n")
      } else {
        let start =
          switch (watch, Terminal.isOutputScreen) {
          case (true, true): Terminal.emptyScreen
          case (true, false): "\n"
          case (false, _): ""
          }
        try Terminal.writeOutput(start + text.table)
      }
      return text.isServed
    }
  }

  /// How many owners of a slice may die.
  struct DeathLimitOption: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "How many owners of a slice die until nodes park it, as their settings say.",
        valueName: "count"))
    var deathLimit = 3

    func validate() throws {
      if deathLimit < 1 {
        throw ValidationError("--death-limit: expected a number of at least 1, found \(deathLimit)")
      }
    }
  }
#endif
