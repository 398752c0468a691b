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
      Terminal.prepareStreams()
      do {
        let arguments = RunCommand.completed(CommandLine.arguments.dropFirst())
        var command = try await asyncParseAsRoot(arguments)
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
