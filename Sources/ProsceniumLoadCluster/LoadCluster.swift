// SPDX-License-Identifier: Apache-2.0

import ProsceniumTerminal

#if Links && Complete
  import ArgumentParser

  /// `proscenium load --cluster`: the nodes of a cluster under load.
  @main struct LoadCluster: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "proscenium load --cluster N",
      abstract: "Runs the nodes of a cluster under load, strikes them, and says whether it held.",
      discussion: """
        Each node is a process of its own, and so is the source of the events: a node that takes \
        no slices, whose events go over links to the sessions of all others. Some sessions have a \
        user who sends a message when the one before is durable. Meanwhile nodes are killed, \
        stopped for longer than their lease, drained, or replaced by those of a newer build, one \
        after the other. In the end every session is asked what it was given, and a second time \
        after another launch of all nodes. Docs/LOAD.md says what is verified.

        The database is a private server's in a temporary folder, unless --database names one \
        with an empty store ('proscenium store init' makes it).

        The last line is 'held' (exit code 0) or 'violated: …' (1). Flags that cannot be used give \
        2. Ctrl-C ends the load; what ran until then is verified.

        EXAMPLES
          proscenium load --cluster 3
          proscenium load --cluster 3 --kill-nodes 2 --duration 60
          proscenium load --cluster 3 --sessions 100000 --connected 10000 --rate 20000 --drain
          proscenium load --cluster 3 --deploy --csv cluster.csv --report cluster.html
        """,
      subcommands: [RunCommand.self, NodeCommand.self, SourceCommand.self],
      defaultSubcommand: RunCommand.self)

    static func main() async {
      Terminal.prepareStreams()
      do {
        var command = try await asyncParseAsRoot()
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch let error as ExitCode {
        exit(withError: error)
      } catch  where exitCode(for: error).isSuccess {
        Terminal.announce(fullMessage(for: error) + "\n")
      } catch {
        Terminal.writeError("proscenium: \(message(for: error))\n")
        exit(withError: ExitCode(2))
      }
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
