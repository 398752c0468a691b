// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium store init`: makes the tables of a store in PostgreSQL.
  struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Makes the tables of a store in a PostgreSQL database, as the owner of it.",
      discussion: """
        The database has to be there, with the encoding UTF8. The tables and functions are in the \
        schema 'proscenium' of it; what is there already stays as it is, so that the command can \
        be run again, with more roles or after an update.

        A role that is granted the store calls its functions and reads its views, and has no \
        rights to any table. A program that logs in as the owner needs no grant, and makes the \
        tables itself.

        EXAMPLES
          createdb -E UTF8 -T template0 sessions
          proscenium store init postgres://owner@db/sessions --grant app
        """)

    @Argument(help: "The address of the database, with a role that may make a schema in it.")
    var address: String

    @Option(
      help: ArgumentHelp(
        "Let a role use the store; may be given several times.", valueName: "role"))
    var grant: [String] = []

    func run() async throws {
      let place = try PostgresAddress(address).place
      let isNew = try await PostgresStoreSetup.run(address, granting: grant)
      let names = grant.map(Terminal.printable).joined(separator: ", ")
      try Terminal.writeOutput(
        (isNew ? "made a store in " : "found a store in ") + Terminal.printable(place)
          + (grant.isEmpty ? "" : ", granted to \(names)") + "\n")
    }
  }
#endif
