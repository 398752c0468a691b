// SPDX-License-Identifier: Apache-2.0

import ProsceniumTerminal

#if Links && Complete
  import ArgumentParser

  /// `proscenium load --cluster`: the nodes of a cluster under load.
  @main struct LoadCluster: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "proscenium load --cluster N", abstract: RunCommand.configuration.abstract,
      subcommands: [RunCommand.self, NodeCommand.self, SourceCommand.self],
      defaultSubcommand: RunCommand.self)

    static func main() async {
      await runProgram(RunCommand.completed(CommandLine.arguments.dropFirst()))
    }
  }
#else
  @main struct LoadCluster {
    static func main() {
      Terminal.announce(
        "build it with: swift build --traits Complete,Links --product proscenium-load-cluster\n")
      Terminal.endRefused()
    }
  }
#endif
