// SPDX-License-Identifier: Apache-2.0

import ProsceniumTerminal

#if Live && Complete
  import ArgumentParser
  import Foundation
  import ProsceniumLoad

  #if Links
    import ProsceniumLoadNodes
    import ProsceniumPostgres
    import ProsceniumPrimitives
  #endif

  /// `proscenium load live`: browser tabs under load.
  @main struct LoadLive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "proscenium load live",
      abstract: "Runs WebSocket clients against a web host, kills it, and says whether it held.",
      discussion: """
        Each client is a tab with a session of its own: it sends numbered inputs, its line breaks \
        and is resumed, it hides. The host is a process of its own with a store on the disk and a \
        commit for each input, and is killed and started again. In the end each client is shown \
        what was kept. Docs/LIVE.md says what is verified.

        With --cluster the hosts are the nodes of a cluster, with their sessions in PostgreSQL, in \
        a private server unless a database is given. Clients are spread over the nodes and go \
        where their sessions are. Nodes are killed (--kill-nodes), stopped until the others have \
        taken their sessions (--stop-nodes), drained (--drain), and replaced by those of a newer \
        build (--deploy).

        The last line is 'held' (exit code 0) or 'violated: …' (1). Flags that cannot be used give \
        2. Ctrl-C ends the load; what ran until then is verified.

        'proscenium load live run --help' lists the flags.

        EXAMPLES
          proscenium load live
          proscenium load live --clients 10000 --rate 5000 --breaks 500 --kills 4 --seconds 60
          proscenium load live --floor --csv live.csv --report live.html
          proscenium load live --cluster 3 --kill-nodes 2 --stop-nodes 1
          proscenium load live --cluster 3 --clients 10000 --rate 2000 --drain --csv live.csv
          proscenium load live --cluster 3 --deploy --database postgres://app@db/empty
          proscenium load live idle --clients 10000
        """,
      subcommands: [Run.self, Idle.self, Serve.self, Echo.self], defaultSubcommand: Run.self)

    static func main() async { await runProgram() }

    struct Run: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Runs the load; the default.")

      @OptionGroup var plan: LivePlan

      @Flag(help: "Afterwards sends the same inputs, for 10 s, to a server that only echoes them.")
      var floor = false

      @OptionGroup var results: ResultOptions

      @Flag(help: "Prints the last line alone.")
      var quiet = false

      func run() async throws {
        let files = try results.files(of: "load")
        let folder = try TemporaryFolder()
        Terminal.trapInterrupts(removing: folder.path)
        if !quiet { Terminal.announce(LiveText.beginning(plan)) }
        let line = quiet ? nil : Terminal.progress()
        var summary = try await run(in: folder.path) { progress in
          if let line { LiveText.show(progress, line) }
        }
        if floor, !summary.isInterrupted {
          if let line { LiveText.show(.measuringFloor, line) }
          summary.floor = try await EchoFloor(plan: plan).run()
        }
        line?.end()
        let written = try files.write(name: "live", seed: plan.seed, summary.rows)
        if !quiet { Terminal.announce("\(summary.text)\n\(written)") }
        if plan.cluster != nil, !summary.reasons.isEmpty {
          Terminal.writeError("the logs of the nodes are in \(folder.path)\n")
          Terminal.keepFolder()
        } else {
          folder.remove()
        }
        Terminal.announce(summary.verdict + "\n")
        if !summary.reasons.isEmpty { throw ExitCode(1) }
      }

      private func run(
        in folder: String, _ show: @escaping @Sendable (LiveProgress) -> Void
      ) async throws -> LiveSummary {
        #if Links
          if plan.cluster != nil {
            let database = try await LoadDatabase.open(plan.nodes.database)
            let run = LiveRun(plan, folder: folder, database: database.address, show: show)
            let result = await Result { try await run.run() }
            try await database.close()
            return try result.get()
          }
        #endif
        return try await LiveRun(plan, folder: folder, database: nil, show: show).run()
      }
    }

    struct Idle: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Measures how much memory an idle socket takes, next to a bare echo server.")

      @Option(help: "How many clients there are.")
      var clients = 10_000

      @Option(help: "How long nothing happens, in seconds.")
      var seconds = 60.0

      func validate() throws { try LivePlan.checkFiles(for: clients) }

      func run() async throws {
        let folder = try TemporaryFolder()
        Terminal.trapInterrupts(removing: folder.path)
        let idle = IdleRun(clients: clients, seconds: seconds, folder: folder.path)
        let figures = try await idle.run { Terminal.writeError($0 + "\n") }
        Terminal.announce(LiveText.table(figures, clients, seconds).description)
        folder.remove()
      }
    }

    struct Serve: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Serves the clients; what `run` starts.", shouldDisplay: false)

      @Option var port = 0
      @Option var folder: String
      @Option var sceneLimit: Int?
      @Option var durability = DurabilityChoice.everyEvent
      @Option var database: String?
      @Option var name = "node"
      @Option var build: Int32 = 0
      @Option var lease = 5.0

      func run() async throws {
        _ = OpenFiles.raise()
        let host = LoadHost(
          port: port, folder: folder, sceneLimit: sceneLimit, durability: durability.durability)
        #if Links
          if let database {
            // Clients find the port of a node by its name.
            var settings = ClusterSettings(name: name, address: name, build: build)
            settings.lease = .seconds(lease)
            return try await host.run(in: database, as: settings)
          }
        #endif
        try await host.run()
      }
    }

    struct Echo: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Sends back what clients send; what `--floor` starts.", shouldDisplay: false)

      func run() async throws {
        _ = OpenFiles.raise()
        try await EchoHost().run()
      }
    }
  }

  /// A folder of the system's temporary one.
  struct TemporaryFolder {
    let path: String

    init() throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("proscenium-live-\(ProcessInfo.processInfo.processIdentifier)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      path = folder.path
    }

    func remove() {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
#else
  @main struct LoadLive {
    static func main() {
      Terminal.announce(
        "build it with: swift build --traits Complete,Live --product proscenium-load-live\n")
    }
  }
#endif
