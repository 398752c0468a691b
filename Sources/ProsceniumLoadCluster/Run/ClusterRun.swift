// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import ProsceniumTerminal

  /// Runs nodes under load, strikes them, and verifies what came of everything.
  struct ClusterRun: Sendable {
    /// How far a run is.
    enum Progress: Sendable {
      case opening
      case connecting
      case running(ClusterSummary.Sample)
      case status(ClusterStatus)
      case verifying
      case launchingAgain
    }

    let plan: ClusterPlan
    private let database: String
    private let folder: String
    let fleet: NodeFleet
    private let show: @Sendable (Progress) -> Void
    let clock = ContinuousClock()

    init(
      _ plan: ClusterPlan, database: String, folder: String,
      show: @escaping @Sendable (Progress) -> Void
    ) {
      self.plan = plan
      self.database = database
      self.folder = folder
      self.show = show
      fleet = NodeFleet(database: database, logs: folder)
    }

    /// Runs it.
    ///
    /// - Returns: What it came to.
    /// - Throws: If a process cannot be started, ends by itself, or the database refuses.
    @concurrent
    func run() async throws -> ClusterSummary {
      do {
        return try await played()
      } catch {
        await fleet.killAll()
        throw error
      }
    }

    private func played() async throws -> ClusterSummary {
      var summary = ClusterSummary(plan)
      show(.opening)
      let lists = try await open()
      show(.connecting)
      let source = try SourceProcess(
        ["--sessions", try writeTargets(of: lists), "--users", "\(plan.users)"]
          + ["--rate", "\(plan.rate)"] + arguments, log: "\(folder)/source.log")
      _ = try await source.process.line(with: SourceCommand.connected)
      let before = try await fleet.status().epochs
      fleet.begin()
      (summary.samples, summary.strikes) = try await load(source)
      summary.isInterrupted = Terminal.isInterrupted
      summary.moves = SliceMoves(from: before, to: try await fleet.status().epochs)
      show(.verifying)
      summary.totals = try await source.totals()
      summary.nodes = fleet.all.map(\.life)
      show(.launchingAgain)
      summary.afterLaunch = try await launchedAgain(source)
      summary.gifts = Gifts(logs: Set(fleet.all.compactMap(\.log)))
      return summary
    }

    // MARK: - The processes

    /// Starts all nodes, which find one another before they take slices, and lets them make their
    /// sessions.
    ///
    /// - Returns: The sessions of each.
    private func open() async throws -> [[String]] {
      let share = plan.sessions / plan.count
      let lists = (1...plan.count).map { "\(folder)/node\($0).sessions" }
      let nodes = try lists.enumerated().map { place, list in
        // The rest is the first one's.
        let count = share + (place == 0 ? plan.sessions % plan.count : 0)
        return try launch(
          "node\(place + 1)", build: 1, ["--create", "\(count)", "--list", list])
      }
      for node in nodes { _ = try await node.process.line(with: "made") }
      try await fleet.waitUntilServed(isSpread: true)
      return try lists.map { list in
        try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map(String.init)
      }
    }

    /// Starts a node, and returns when it serves, or knows that it has nothing to serve.
    ///
    /// - Throws: That it has ended before.
    func start(_ name: String, build: Int32) async throws {
      _ = try await launch(name, build: build).process.line(with: NodeCommand.ready)
    }

    private func launch(_ name: String, build: Int32, _ more: [String] = []) throws -> LoadNode {
      try fleet.launch(
        name, build: build,
        ["node", "--name", name, "--build", "\(build)", "--durability", plan.durability]
          + arguments + more)
    }

    /// What all processes are told.
    private var arguments: [String] {
      ["--database", database, "--key", "\(folder)/key", "--lease", "\(plan.nodes.lease)"]
    }

    /// Ends all nodes and starts others, and asks the sessions what they remember.
    private func launchedAgain(_ source: SourceProcess) async throws -> EventTotals {
      let count = fleet.living.count
      try await fleet.close()
      for number in 1...count { try await start("again\(number)", build: .max) }
      let totals = try await source.totals()
      try await source.process.terminate()
      try await fleet.close()
      return totals
    }

    /// Writes which sessions get events: as many of each node, and those of the users last.
    private func writeTargets(of lists: [[String]]) throws -> String {
      let count = plan.connected + plan.users
      // One of each node after the other.
      let turns = (0..<(lists.map(\.count).max() ?? 0)).lazy.flatMap { turn in
        lists.compactMap { turn < $0.count ? $0[turn] : nil }
      }
      let path = "\(folder)/targets"
      try turns.prefix(count).joined(separator: "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
      return path
    }

    // MARK: - The load

    private func load(
      _ source: SourceProcess
    ) async throws -> ([ClusterSummary.Sample], [ClusterSummary.Strike]) {
      try await withThrowingTaskGroup(of: [ClusterSummary.Sample].self) { group in
        let isOver = Guarded(false)
        let sampler = Sampler(fleet: fleet, source: source)
        // Looks until the last strike is over.
        group.addTask {
          var samples: [ClusterSummary.Sample] = []
          while !isOver.withLock({ $0 }) {
            try await clock.sleep(for: .seconds(1))
            samples.append(sampler.sample(after: samples.last))
            if let last = samples.last { show(.running(last)) }
            // A database that does not answer now is asked again.
            if let status = try? await fleet.status() { show(.status(status)) }
          }
          return samples
        }
        // The sampler ends whatever comes of the strikes.
        defer { isOver.withLock { $0 = true } }
        let strikes = try await strike()
        isOver.withLock { $0 = true }
        return (try await group.next() ?? [], strikes)
      }
    }
  }
#endif
