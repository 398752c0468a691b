// SPDX-License-Identifier: Apache-2.0

import ProsceniumTerminal

#if Cluster && Complete
  import ArgumentParser

  /// `proscenium cluster`: what concerns stores in PostgreSQL.
  @main struct ClusterProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "proscenium cluster",
      abstract: "Shows clusters, and makes, copies and checks stores in PostgreSQL.",
      discussion: """
        A store in PostgreSQL is named by the address of its database, as libpq reads it. What \
        the address leaves open is taken from libpq's environment. A password is better in \
        ~/.pgpass or in PGPASSWORD, since others can see the arguments of a program; it is in no \
        output.

        'verify ADDRESS', 'inspect ADDRESS', 'store init' and 'store copy' are commands of \
        'proscenium' too. Every check ends with a verdict, its last line of output, and with an \
        exit code: 0 is good, 1 means that it failed, 2 that input or flags cannot be used.

        EXAMPLES
          proscenium store init postgres://owner@db/sessions --grant app
          proscenium store copy sessions.store postgres://app@db/sessions
          proscenium verify postgres://app@db/sessions --key app.key
          proscenium inspect postgres://app@db/sessions
          proscenium cluster status postgres://app@db/sessions
        """,
      subcommands: [
        StatusCommand.self, DrainCommand.self, ReleaseCommand.self, StoreCommand.self,
        InspectCommand.self, VerifyCommand.self, ClusterCommand.self,
      ])

    static func main() async { await runProgram() }
  }

  /// `proscenium store` as far as it concerns stores in PostgreSQL.
  struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "store", abstract: "Makes a store in PostgreSQL, or copies a store.",
      subcommands: [InitCommand.self, CopyCommand.self])
  }

  /// `proscenium-cluster cluster`: the commands that are called so of `proscenium` as well.
  struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cluster",
      abstract: "Shows a cluster, drains a node, or lets slices be served again.",
      discussion: """
        EXAMPLES
          proscenium cluster status postgres://app@db/sessions
          proscenium cluster drain postgres://app@db/sessions 4
          proscenium cluster release postgres://app@db/sessions 417
        """,
      shouldDisplay: false,
      subcommands: [StatusCommand.self, DrainCommand.self, ReleaseCommand.self])
  }
#else
  @main struct ClusterProgram {
    static func main() {
      Terminal.announce(
        "build it with: swift build --traits Complete,Cluster --product proscenium-cluster\n")
      Terminal.endRefused()
    }
  }
#endif
