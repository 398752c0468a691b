// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import ProsceniumPrimitives
  import ProsceniumSealing
  import ProsceniumTerminal

  struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Runs the nodes of a cluster under load, strikes them, and says whether it held.",
      discussion: """
        Each node is a process of its own, and so is the source of the events: a node that takes \
        no slices, whose events go over links to the sessions of all others. Some sessions have a \
        user who sends a message when the one before is durable. While they do, nodes are killed, \
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
        """)

    @OptionGroup var plan: ClusterPlan

    @OptionGroup var results: ResultOptions

    @Option(
      help: ArgumentHelp(
        "Serve a live page on 127.0.0.1 while the test runs; without a port on one that is free. "
          + "Its buttons, which drain nodes, need a token, which is printed: --dashboard or "
          + "--dashboard=PORT.", valueName: "port"))
    var dashboard: UInt16?

    @Option(
      help: ArgumentHelp(
        "A new folder that the logs of all processes are kept in.",
        valueName: "folder"))
    var logs: String?

    @Flag(help: "Prints the last line alone.")
    var quiet = false

    func run() async throws {
      let files = try results.files(of: "load")
      let folder = try makeFolder()
      Terminal.trapInterrupts(removing: logs == nil ? folder : nil)
      defer { if logs == nil { try? FileManager.default.removeItem(atPath: folder) } }
      if !quiet { Terminal.announce(beginning) }
      let database = try await LoadDatabase.open(plan.nodes.database)
      let result = await Result { try await load(database, folder) }
      try await database.close()
      let summary = try result.get()
      let written = try files.write(name: ClusterSummary.name, seed: plan.seed, summary.rows)
      if !quiet { Terminal.announce("\(summary.text)\n\(written)") }
      Terminal.announce(summary.verdict + "\n")
      if !summary.reasons.isEmpty { throw ExitCode(1) }
    }

    private func load(_ database: LoadDatabase, _ folder: String) async throws -> ClusterSummary {
      // All processes have the key before the first of them starts.
      _ = try FileKeyProvider(path: "\(folder)/key", createsIfMissing: true).keys()
      let line = quiet ? nil : Terminal.progress()
      defer { line?.end() }
      let plan = plan
      let page = dashboard.map { ClusterPage(port: $0, say: Terminal.announce) }
      let run = ClusterRun(plan, database: database.address, folder: folder) { progress in
        if let line { Self.show(progress, plan, line) }
        switch progress {
        case .running(let sample): page?.add(sample)
        case .status(let status): page?.show(status)
        default: break
        }
      }
      guard let page else { return try await run.run() }
      return try await page.serve(run.fleet) { try await run.run() }
    }

    /// The arguments, with the port of a dashboard that is to have any: a value can't be left out.
    static func completed(_ arguments: some Sequence<String>) -> [String] {
      arguments.map { $0 == "--dashboard" ? "--dashboard=0" : $0 }
    }

    private func makeFolder() throws -> String {
      let folder =
        logs.map { URL(fileURLWithPath: $0) }
        ?? FileManager.default.temporaryDirectory.appendingPathComponent(
          "proscenium-cluster-\(ProcessInfo.processInfo.processIdentifier)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder.path
    }

    private var beginning: String {
      "\(Terminal.machine)\ncluster: \(plan.count) nodes, "
        + "\(NumberText.grouped(plan.sessions)) sessions, "
        + "\(NumberText.grouped(plan.connected)) of them connected, "
        + "\(NumberText.rate(plan.rate)) events, \(plan.users) users, lease "
        + "\(NumberText.duration(plan.nodes.lease)), seed \(plan.seed)\n\n"
    }

    private static func show(
      _ progress: ClusterRun.Progress, _ plan: ClusterPlan, _ line: ProgressLine
    ) {
      switch progress {
      case .opening: line.show(nil) { _ in ["making sessions"] }
      case .connecting: line.show(nil) { _ in ["connecting scenes"] }
      case .verifying: line.show(nil) { _ in ["asking every session"] }
      case .launchingAgain: line.show(nil) { _ in ["asking after another launch"] }
      case .status: break
      case .running(let sample):
        let nodes = sample.slices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        line.show(
          min(1, sample.time / plan.duration), left: max(plan.duration - sample.time, 0)
        ) { _ in
          [NumberText.rate(Double(sample.sent) / max(sample.seconds, 0.001))]
            + ["p50 \(sample.delivered.text(50))", "p99 \(sample.delivered.text(99))"]
            + ["slices: " + nodes.joined(separator: ", ")]
        }
      }
    }
  }
#endif
