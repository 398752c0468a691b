// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import ProsceniumTerminal

  /// Runs clients against hosts in processes of their own, and kills these, or moves what they
  /// serve.
  struct LiveRun: Sendable {
    /// How long clients have to be attached after a launch before that is a violation.
    static let attachLimit = 10.0
    /// How long inputs may take that an outage has held up.
    static let outageLimit = 15.0
    /// How long the rest of them may take at the end.
    private static let endLimit = 60.0

    let plan: LivePlan
    private let folder: String
    private let database: String?
    private let show: @Sendable (LiveProgress) -> Void
    let clock = ContinuousClock()

    /// Plans a run.
    ///
    /// - Parameters:
    ///   - plan: What happens in it.
    ///   - folder: The folder of the hosts.
    ///   - database: The address of the nodes' database; nil for one host with its store in a file.
    ///   - show: Is told how far it is.
    init(
      _ plan: LivePlan, folder: String, database: String?,
      show: @escaping @Sendable (LiveProgress) -> Void
    ) {
      self.plan = plan
      self.folder = folder
      self.database = database
      self.show = show
    }

    /// What a run has under its hands.
    struct Stage {
      let clients: ClientFleet
      var hosts: LoadHosts
      var summary: LiveSummary
      /// When the clients began to send.
      var start: ContinuousClock.Instant
      /// How often each slice had got an owner before a deploy, and how long that took.
      var deploy: (before: [Int], seconds: Double)?
    }

    /// Runs it.
    ///
    /// - Returns: What it came to.
    /// - Throws: If a host cannot be started, or ends by itself.
    @concurrent
    func run() async throws -> LiveSummary {
      let tokens = try LoadTokens(folder)
      var hosts = LoadHosts(plan, folder: folder, database: database)
      do {
        try await hosts.start(LoadHosts.names(plan.cluster), build: 1)
        #if Links
          if plan.cluster != nil { try await hosts.fleet.waitUntilServed(isSpread: true) }
        #endif
        let clients = try await ClientFleet(plan.loopPlan, hosts: hosts.places) {
          tokens.cookie($0)
        }
        var stage = Stage(
          clients: clients, hosts: hosts, summary: LiveSummary(plan), start: clock.now)
        try await attach(&stage)
        try await load(&stage)
        try await drain(&stage)
        try await startAgain(&stage)
        try await verify(&stage)
        try await clients.all { $0.end() }
        try await hosts.fleet.close()
        return stage.summary
      } catch {
        await hosts.fleet.killAll()
        throw error
      }
    }

    // MARK: - Phases

    private func attach(_ stage: inout Stage) async throws {
      let start = clock.now
      try await stage.clients.all { $0.connect() }
      while true {
        let reading = try await stage.clients.reading()
        stage.summary.note(reading.tally)
        show(.attaching(reading.attached, plan.clients))
        if reading.attached == plan.clients { break }
        if Terminal.isInterrupted { throw CancellationError() }
        guard seconds(since: start) < 120 else {
          throw LiveFailure(message: "only \(reading.attached) clients were attached in 120 s")
        }
        try await clock.sleep(for: .milliseconds(100))
      }
      stage.summary.attachSeconds = seconds(since: start)
    }

    /// Has the clients send for as long as the plan says, and does to the hosts what it says.
    private func load(_ stage: inout Stage) async throws {
      let events = plan.events
      let share = plan.seconds / Double(events.count + 1)
      stage.start = clock.now
      try await stage.clients.all { $0.begin() }
      for number in 0...events.count {
        let end = stage.start.advanced(by: .seconds(share * Double(number + 1)))
        while clock.now < end, !Terminal.isInterrupted {
          try await clock.sleep(until: min(clock.now.advanced(by: .seconds(1)), end))
          _ = try await sample(&stage)
        }
        if number == events.count || Terminal.isInterrupted { break }
        let staying = stage.hosts.fleet.staying
        try await perform(events[number], staying[number % staying.count], &stage)
      }
      try await stage.clients.all { $0.stop() }
      stage.summary.seconds = seconds(since: stage.start)
      stage.summary.isInterrupted = Terminal.isInterrupted
      #if Links
        try await noteMoves(&stage)
      #endif
    }

    private func perform(
      _ event: NodeStrike, _ node: LoadNode, _ stage: inout Stage
    ) async throws {
      #if Links
        switch event {
        case .kill: try await replace(node, &stage)
        case .stop: try await stop(node, &stage)
        case .drain: try await drain(node, &stage)
        case .deploy: try await deploy(&stage)
        }
      #else
        try await replace(node, &stage)
      #endif
    }

    /// Notes what was seen until now.
    func sample(_ stage: inout Stage) async throws -> ClientReading {
      let reading = try await stage.clients.reading()
      let resident = stage.hosts.note(reading.attachedAt)
      let sample = stage.summary.sample(reading, resident, at: seconds(since: stage.start))
      show(.running(sample, of: plan.seconds))
      return reading
    }

    /// Kills a host, starts another one in its place, and waits until its clients are back.
    private func replace(_ node: LoadNode, _ stage: inout Stage) async throws {
      let killed = clock.now
      try await stage.clients.all { $0.beginOutage(of: node.name) }
      var outage = LiveSummary.Outage(
        of: node.name, .kill, begun: seconds(since: stage.start))
      await stage.hosts.fleet.kill(node)
      try await start(node.name, build: node.build, &stage)
      outage.servedAfter = seconds(since: killed)
      try await waitForReturn(since: killed, &outage, &stage)
      stage.summary.outages.append(outage)
    }

    /// Starts a host, and lets clients find it.
    func start(_ name: String, build: Int32, _ stage: inout Stage) async throws {
      try await stage.hosts.start([name], build: build)
      for place in stage.hosts.places where place.name == name {
        try await stage.clients.all { $0.know(place) }
      }
    }

    /// Waits until all clients of an outage are back and have what was held up.
    func waitForReturn(
      since begin: ContinuousClock.Instant, _ outage: inout LiveSummary.Outage,
      _ stage: inout Stage
    ) async throws {
      while true {
        let reading = try await sample(&stage)
        let passed = seconds(since: begin)
        outage.clients = reading.struck
        if reading.returned == reading.struck, outage.attachedAfter == nil {
          outage.attachedAfter = passed
        }
        // What was due before all were back is confirmed.
        if let attached = outage.attachedAfter, reading.oldestPending ?? 0 < passed - attached {
          outage.confirmedAfter = passed
          break
        }
        if passed > Self.endLimit { break }
        try await clock.sleep(for: .milliseconds(100))
      }
      try await stage.clients.all { $0.endOutage() }
    }

    /// Waits until everything is acknowledged, and each client is where its session is.
    private func drain(_ stage: inout Stage) async throws {
      let start = clock.now
      while true {
        let reading = try await stage.clients.reading()
        stage.summary.note(reading.tally)
        show(.draining(reading.pending))
        if reading.pending == 0, reading.attached == plan.clients { break }
        guard seconds(since: start) < Self.endLimit else {
          stage.summary.violations.append(
            "\(reading.pending) inputs were not acknowledged, \(reading.attached) clients attached")
          break
        }
        try await clock.sleep(for: .milliseconds(50))
      }
    }

    /// Ends all hosts, and starts others, which know what the store has kept.
    private func startAgain(_ stage: inout Stage) async throws {
      let fleet = stage.hosts.fleet
      let last = fleet.staying
      try await stage.clients.all { $0.beginOutage() }
      try await fleet.close()
      stage.summary.lives = fleet.all.map(\.life)
      try await stage.hosts.start(last.map(\.name), build: last.map(\.build).max() ?? 1)
      for place in stage.hosts.places { try await stage.clients.all { $0.know(place) } }
    }

    /// Has every client shown what the store has kept.
    private func verify(_ stage: inout Stage) async throws {
      let start = clock.now
      try await stage.clients.all { $0.forget() }
      var isDone = false
      while !isDone, seconds(since: start) < Self.endLimit {
        let reading = try await stage.clients.reading()
        stage.summary.noteVerification(reading.tally)
        show(.verifying(plan.clients - reading.unfinished, plan.clients))
        isDone = reading.unfinished == 0
        if !isDone { try await clock.sleep(for: .milliseconds(100)) }
      }
      let findings = try await stage.clients.findings()
      stage.summary.violations += findings.prefix(ClientTally.sentenceLimit)
    }

    func seconds(since start: ContinuousClock.Instant) -> Double {
      start.duration(to: clock.now) / .seconds(1)
    }
  }

  /// How far a run is.
  enum LiveProgress: Sendable {
    case attaching(Int, Int)
    case running(LiveSummary.Sample, of: Double)
    case draining(Int)
    case verifying(Int, Int)
    case measuringFloor
  }

  /// A run could not be made.
  struct LiveFailure: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
  }
#endif
