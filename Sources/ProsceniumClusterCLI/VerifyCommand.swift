// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import ProsceniumLoad
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium verify` of an address: checks everything that a store in PostgreSQL keeps.
  struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Checks every row and seal of a store in PostgreSQL.",
      discussion: """
        Everything is read as it was at one moment, and nothing is changed; applications can use \
        the store as well. PostgreSQL's own pages are checked by pg_amcheck. Each thing that is \
        wrong gives a line, with the session that it concerns. The last line is the verdict, and \
        the exit code says the same:

          sound      0  everything has its seal
          damaged    1  the store can be used, and what is listed is lost
          unusable   2  no store of this version is reached, or it has another key

        EXAMPLES
          proscenium verify postgres://app@db/sessions --key app.key
        """)

    @Argument(help: "The address of the store.")
    var address: String

    @Option(help: ArgumentHelp("The file with the application key.", valueName: "file"))
    var key: String

    func run() async throws {
      let report = try await verify()
      try Terminal.writeOutput(StoreReportText(report, verdict: "sound").text)
      if !report.isSound { throw ExitCode(1) }
    }

    private func verify() async throws -> StoreReport {
      let progress = Terminal.progress()
      defer { progress.end() }
      do {
        return try await PostgresVerification.run(
          address, key: FileKeyProvider(path: key, createsIfMissing: false)
        ) { done, total in
          progress.show(Double(done) / Double(max(total, 1))) { _ in ["verifying"] }
        }
      } catch {
        // Why it is unusable is said in any case.
        try? Terminal.writeOutput("unusable\n")
        throw error
      }
    }
  }
#endif
