// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ArgumentParser
  import Foundation

  /// Boards of notes in browser tabs, and a plug to pull.
  @main struct Boards: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "boards",
      abstract: "Boards of notes in browser tabs, and a plug to pull.",
      discussion: """
        Each tab is a session of its own. Buttons disconnect the scene of a tab, put the process \
        under memory pressure, and kill the process: what was typed is there again.

        EXAMPLES
          boards
          boards --port 9000 --folder boards
          boards cluster --nodes 2
        """,
      subcommands: [Supervise.self, Serve.self] + clusterCommands,
      defaultSubcommand: Supervise.self)

    #if Links && os(Linux)
      private static let clusterCommands: [any ParsableCommand.Type] = [Cluster.self, Node.self]
    #else
      private static let clusterCommands: [any ParsableCommand.Type] = []
    #endif

    struct Place: ParsableArguments {
      @Option(help: "The port on 127.0.0.1.")
      var port = 8_080

      @Option(help: "The folder of the boards.")
      var folder = "out/boards"
    }

    struct Options: ParsableArguments {
      @Option(
        help: "How long a tab may be gone before its scene leaves the foreground, in seconds.")
      var grace = 10

      @Option(help: "After how many seconds without a use a board ends.")
      var expiry = 30 * 86_400

      @Option(help: "Which release of the program to be, 1 or 2: 2 has check boxes.")
      var release = 2

      func validate() throws {
        guard (1...2).contains(release), grace >= 0, expiry > 0 else {
          throw ValidationError("expected release 1 or 2, and times in whole seconds.")
        }
      }
    }

    struct Supervise: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Serves, and starts the server again whenever it dies.")

      @OptionGroup var place: Place
      @OptionGroup var options: Options

      func run() async throws {
        try FileManager.default.createDirectory(
          atPath: place.folder, withIntermediateDirectories: true)
        try await Supervisor(["serve"] + CommandLine.arguments.dropFirst()).run()
      }
    }

    struct Serve: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Serves until it is told to end, or killed: what `boards` starts.")

      @OptionGroup var place: Place
      @OptionGroup var options: Options

      func run() async throws {
        try await BoardHost(port: place.port, folder: place.folder, options: options).run()
      }
    }
  }
#else
  @main struct Boards {
    static func main() {
      print("build it with: swift build --traits Complete,Live --product Boards")
    }
  }
#endif
