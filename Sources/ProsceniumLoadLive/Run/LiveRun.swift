// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import ProsceniumLoad
  import ProsceniumTerminal

  /// Runs clients against a host in a process of its own, and kills it again and again.
  struct LiveRun: Sendable {
    /// How long clients have to be attached after a launch before that is a violation.
    static let attachLimit = 10.0
    /// How long inputs may take that an outage has held up.
    static let outageLimit = 15.0
    /// How long the rest of them may take at the end.
    private static let drainLimit = 60.0

    private let plan: LivePlan
    private let folder: String
    private let show: @Sendable (LiveProgress) -> Void
    private let clock = ContinuousClock()

    init(_ plan: LivePlan, folder: String, show: @escaping @Sendable (LiveProgress) -> Void) {
      self.plan = plan
      self.folder = folder
      self.show = show
    }

    /// Runs it.
    ///
    /// - Returns: What it came to.
    /// - Throws: If the host cannot be started, or ends by itself.
    @concurrent
    func run() async throws -> LiveSummary {
      var summary = LiveSummary(plan)
      var host = try await startHost(port: 0)
      let port = host.port
      let tokens = try LoadTokens(folder)
      let fleet = try await ClientFleet(plan.loopPlan, port: port) { tokens.cookie($0) }
      do {
        try await attach(fleet, &summary)
        host = try await load(fleet, host, &summary)
        try await drain(fleet, &summary)
        try await host.terminate()
        host = try await startHost(port: port)
        try await verify(fleet, &summary)
        try await fleet.all { $0.end() }
        try await host.terminate()
      } catch {
        await host.kill()
        throw error
      }
      return summary
    }

    private func startHost(port: Int) async throws -> HostProcess {
      try await HostProcess.start([
        "serve", "--port", "\(port)", "--folder", folder, "--durability",
        plan.durability.rawValue,
      ])
    }

    // MARK: - Phases

    private func attach(_ fleet: ClientFleet, _ summary: inout LiveSummary) async throws {
      let start = clock.now
      try await fleet.all { $0.connect() }
      while true {
        let reading = try await fleet.reading()
        summary.note(reading.tally)
        show(.attaching(reading.attached, plan.clients))
        if reading.attached == plan.clients { break }
        if Terminal.isInterrupted { throw CancellationError() }
        guard seconds(since: start) < 120 else {
          throw LiveFailure(message: "only \(reading.attached) clients were attached in 120 s")
        }
        try await clock.sleep(for: .milliseconds(100))
      }
      summary.attachSeconds = seconds(since: start)
    }

    /// Has the clients send for as long as the plan says, and kills the host.
    private func load(
      _ fleet: ClientFleet, _ first: HostProcess, _ summary: inout LiveSummary
    ) async throws -> HostProcess {
      var host = first
      let share = plan.seconds / Double(plan.kills + 1)
      let start = clock.now
      try await fleet.all { $0.begin() }
      for number in 0...plan.kills {
        let end = start.advanced(by: .seconds(share * Double(number + 1)))
        try await sample(fleet, host, &summary, start, until: end)
        if number == plan.kills || Terminal.isInterrupted { break }
        host = try await replace(host, fleet, &summary, start)
      }
      try await fleet.all { $0.stop() }
      summary.seconds = seconds(since: start)
      summary.isInterrupted = Terminal.isInterrupted
      return host
    }

    /// Samples every second.
    private func sample(
      _ fleet: ClientFleet, _ host: HostProcess, _ summary: inout LiveSummary,
      _ start: ContinuousClock.Instant, until end: ContinuousClock.Instant
    ) async throws {
      while clock.now < end, !Terminal.isInterrupted {
        try await clock.sleep(until: min(clock.now.advanced(by: .seconds(1)), end))
        let reading = try await fleet.reading()
        let sample = summary.sample(reading, host.resident, at: seconds(since: start))
        show(.running(sample, of: plan.seconds))
      }
    }

    /// Kills the host, starts another one, and waits until all clients are back and have what was
    /// held up.
    private func replace(
      _ host: HostProcess, _ fleet: ClientFleet, _ summary: inout LiveSummary,
      _ start: ContinuousClock.Instant
    ) async throws -> HostProcess {
      let killed = clock.now
      try await fleet.all { $0.beginOutage() }
      await host.kill()
      let next = try await startHost(port: host.port)
      var outage = LiveSummary.Outage(begun: seconds(since: start))
      outage.servedAfter = seconds(since: killed)
      while true {
        let reading = try await fleet.reading()
        let sample = summary.sample(reading, next.resident, at: seconds(since: start))
        show(.running(sample, of: plan.seconds))
        let passed = seconds(since: killed)
        if reading.returned == plan.clients, outage.attachedAfter == nil {
          outage.attachedAfter = passed
        }
        // What was due before all were back is confirmed.
        if let attached = outage.attachedAfter, reading.oldestPending ?? 0 < passed - attached {
          outage.confirmedAfter = passed
          break
        }
        if passed > Self.drainLimit { break }
        try await clock.sleep(for: .milliseconds(100))
      }
      try await fleet.all { $0.endOutage() }
      summary.outages.append(outage)
      return next
    }

    /// Waits until everything is acknowledged.
    private func drain(_ fleet: ClientFleet, _ summary: inout LiveSummary) async throws {
      let start = clock.now
      while true {
        let reading = try await fleet.reading()
        summary.note(reading.tally)
        show(.draining(reading.pending))
        if reading.pending == 0 { return }
        guard seconds(since: start) < Self.drainLimit else {
          summary.violations.append("\(reading.pending) inputs were not acknowledged")
          return
        }
        try await clock.sleep(for: .milliseconds(50))
      }
    }

    /// Has every client shown what the store has kept.
    private func verify(_ fleet: ClientFleet, _ summary: inout LiveSummary) async throws {
      let start = clock.now
      try await fleet.all { $0.forget() }
      var isDone = false
      while !isDone, seconds(since: start) < Self.drainLimit {
        let reading = try await fleet.reading()
        summary.noteVerification(reading.tally)
        show(.verifying(plan.clients - reading.unfinished, plan.clients))
        isDone = reading.unfinished == 0
        if !isDone { try await clock.sleep(for: .milliseconds(100)) }
      }
      let findings = try await fleet.findings()
      summary.violations += findings.prefix(ClientTally.sentenceLimit)
    }

    private func seconds(since start: ContinuousClock.Instant) -> Double {
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
