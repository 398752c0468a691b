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

    private let plan: ClusterPlan
    private let database: String
    private let folder: String
    let fleet: NodeFleet
    private let show: @Sendable (Progress) -> Void
    private let clock = ContinuousClock()

    init(
      _ plan: ClusterPlan, database: String, folder: String,
      show: @escaping @Sendable (Progress) -> Void
    ) {
      self.plan = plan
      self.database = database
      self.folder = folder
      self.show = show
      fleet = NodeFleet(plan, database: database, folder: folder)
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
      let lists = try await fleet.open()
      show(.connecting)
      let source = try Source(fleet, file: try writeTargets(of: lists), plan)
      _ = try await source.process.line(with: SourceCommand.connected)
      let before = try await fleet.status().epochs
      fleet.beginLoad()
      (summary.samples, summary.strikes) = try await load(source)
      summary.isInterrupted = Terminal.isInterrupted
      summary.moves = Self.moves(from: before, to: try await fleet.status().epochs)
      show(.verifying)
      summary.totals = try await source.totals()
      summary.nodes = fleet.all.map(\.life)
      show(.launchingAgain)
      summary.afterLaunch = try await launchedAgain(source)
      summary.gifts = Gifts(logs: Set(fleet.all.map(\.log)))
      return summary
    }

    /// Ends all nodes and starts others, and asks the sessions what they remember.
    private func launchedAgain(_ source: Source) async throws -> EventTotals {
      let count = fleet.living.count
      try await fleet.close()
      for number in 1...count { try await fleet.start("again\(number)", build: .max) }
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
      _ source: Source
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
            if let status = try? await ClusterStatus.read(database) { show(.status(status)) }
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

    /// Strikes nodes at even moments, one after the other, until the time is over.
    private func strike() async throws -> [ClusterSummary.Strike] {
      var random = SplitMix64(seed: plan.seed)
      var done: [ClusterSummary.Strike] = []
      let pause = plan.duration / Double(plan.strikes.count + 1)
      for (place, kind) in plan.strikes.enumerated() {
        try await wait(until: pause * Double(place + 1))
        if Terminal.isInterrupted { return done }
        guard let node = fleet.drawn(&random) else { return done }
        var strike = ClusterSummary.Strike(kind, of: node.name, at: fleet.time)
        switch kind {
        case .kill: (strike.buriedAfter, strike.servedAfter) = try await fleet.kill(node)
        case .stop: (strike.buriedAfter, strike.servedAfter) = try await fleet.stop(node)
        case .drain: strike.drains = [try await fleet.drain(node)]
        case .deploy:
          strike.node = nil
          strike.drains = try await fleet.deploy()
        }
        done.append(strike)
      }
      // What has moved gets events as well.
      try await wait(until: max(plan.duration, fleet.time + 2))
      return done
    }

    private func wait(until time: Double) async throws {
      while fleet.time < time, !Terminal.isInterrupted {
        try await clock.sleep(for: .seconds(min(0.1, max(0.001, time - fleet.time))))
      }
    }

    /// How often slices got another owner: on average, and the one that did most often.
    private static func moves(from before: [Int], to after: [Int]) -> (mean: Double, highest: Int) {
      let moves = zip(before, after).map { $1 - $0 }
      guard !moves.isEmpty else { return (0, 0) }
      return (Double(moves.reduce(0, +)) / Double(moves.count), moves.max() ?? 0)
    }
  }

  /// The process that sends the events.
  final class Source: Sendable {
    let process: ChildProcess
    private let state: State

    private final class State: Sendable {
      let sent = Guarded(0)
      let durable = Guarded(LatencyHistogram())

      func hear(_ line: String) -> Bool {
        guard line.hasPrefix(SourceReading.mark),
          let reading: SourceReading = try? Line.read(
            String(line.dropFirst(SourceReading.mark.count)))
        else { return false }
        sent.withLock { $0 += reading.sent }
        durable.withLock { $0.add(reading.durable) }
        return true
      }
    }

    init(_ fleet: NodeFleet, file: String, _ plan: ClusterPlan) throws {
      let state = State()
      self.state = state
      process = try ChildProcess(
        ["source", "--name", "source", "--sessions", file, "--users", "\(plan.users)"]
          + ["--rate", "\(plan.rate)"] + fleet.arguments, log: fleet.sourceLog
      ) { state.hear($0) }
    }

    /// Takes what was sent since it was last asked, and how long users waited.
    func take() -> (sent: Int, durable: LatencyHistogram) {
      let sent = state.sent.withLock { sent in
        defer { sent = 0 }
        return sent
      }
      return state.durable.withLock { durable in
        defer { durable = LatencyHistogram() }
        return (sent, durable)
      }
    }

    /// Sends no more, and says what came of everything.
    func totals() async throws -> EventTotals {
      process.signal(SIGUSR1)
      return try Line.read(try await process.line(with: EventTotals.mark))
    }
  }

  /// Looks at all processes of a run.
  struct Sampler: Sendable {
    let fleet: NodeFleet
    let source: Source

    /// What was seen since the last sample.
    func sample(after last: ClusterSummary.Sample?) -> ClusterSummary.Sample {
      var sample = ClusterSummary.Sample()
      sample.time = fleet.time
      sample.seconds = sample.time - (last?.time ?? 0)
      (sample.sent, sample.durable) = source.take()
      sample.strikes = fleet.strikes
      for node in fleet.all {
        node.noteEnd(at: sample.time)
        sample.delivered.add(node.takeLatencies())
      }
      for node in fleet.living {
        sample.resident += node.measure()
        sample.connected += node.life.reading.connected
        sample.slices[node.name] = node.life.reading.served
      }
      return sample
    }
  }
#endif
