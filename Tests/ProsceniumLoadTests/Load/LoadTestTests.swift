// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import ProsceniumLoad

/// Small load tests from end to end.
@Suite(.timeLimit(.minutes(10))) struct LoadTestTests {
  private struct Counter: MemoryMeter {
    func memory() -> MemoryReading? { MemoryReading(allocated: 1, resident: 1, allocations: 1) }

    func settleThread() {}

    func releaseUnused() {}
  }

  private static let all = "message=40,activity=20,url=20,shortcut=10,notification=10"

  /// A scenario with everything in it that can be in a second.
  private static func small() throws -> LoadScenario {
    var scenario = LoadScenario(name: "small")
    scenario.sessions = 200
    scenario.connected = 100
    scenario.pace = .open(LoadPace(rate: 3_000))
    // By number: on a busy machine a second may pass without any.
    scenario.end = .events(3_000)
    scenario.warmup = 0.1
    scenario.mix = try #require(LoadEventMix(all))
    scenario.stateSize = .mean(300)
    scenario.refreshes = 100
    scenario.faults.disconnects.perSecond = 300
    scenario.faults.discards.perSecond = 30
    // However late the injector gets its turns.
    scenario.faults.disconnects.moments = Array(repeating: .zero, count: 20)
    scenario.faults.discards.moments = Array(repeating: .zero, count: 20)
    scenario.shards = 4
    return scenario
  }

  private func run(
    _ scenario: LoadScenario, in place: LoadTest.Place = .memory,
    _ mistake: MistakenDelegate.Mistake? = nil
  ) async throws -> LoadSummary {
    var test = LoadTest(scenario, in: place, clock: ContinuousClock(), meter: Counter())
    test.makeFront = mistake.map { MistakenDelegate.making($0) }
    return try await test.run()
  }

  @Test(arguments: LoadScenario.Turn.allCases)
  func `the promises hold, on a disk as well`(turn: LoadScenario.Turn) async throws {
    let folder = try TemporaryFolder()
    var scenario = try Self.small()
    scenario.turn = turn
    let summary = try await run(scenario, in: .folder(folder.path))
    #expect(summary.violations == [])
    #expect(summary.errors == 0, "\(String(describing: summary.firstError))")
    #expect(summary.verdict([]) == "held")
    #expect(summary.sent > 0)
    #expect(summary.faults[.disconnect, default: 0] > 0)
    #expect(summary.faults[.discard, default: 0] > 0)
    #expect(summary.latencies.count <= summary.sent)
    #expect(summary.latencies.reconnecting.count > 0)
    let metrics = Set(summary.rows.map(\.metric))
    #expect(
      metrics.isSuperset(of: ["events_sent", "latency", "faults", "scenes_connected", "time"]))
  }

  @Test func `sessions that are discarded before anything is sent are followed`() async throws {
    var scenario = LoadScenario(name: "struck")
    scenario.sessions = 40
    scenario.pace = .open(LoadPace(rate: 400))
    scenario.end = .events(80)
    scenario.warmup = 0
    scenario.skew = .uniform
    scenario.faults.discards.moments = Array(repeating: .zero, count: 20)
    let summary = try await withTaskExecutorPreference(OvertakingExecutor()) {
      try await run(scenario)
    }
    #expect(summary.faults[.discard, default: 0] == 20)
    #expect(summary.verdict([]) == "held")
  }

  @Test func `a session that is discarded before its user comes back is no error`() async throws {
    var scenario = LoadScenario(name: "struck")
    scenario.sessions = 4
    let test = LoadTest(scenario, in: .memory, clock: ContinuousClock(), meter: Counter())
    let run = LoadRun(test, try LoadStore(.memory))
    try await Application.withRunning(
      manifest: SceneManifest([
        SceneConfiguration("Load") { LoadDelegate(run.audit) }
      ])
    ) { application in
      let sessions = try await run.open(application)
      try await application.host.perform(.close(sessions[1]))
      try await run.storm(LoadTenants(sessions), application)
    }
    #expect(run.audit.failures.count == 0, "\(String(describing: run.audit.failures.first))")
  }

  @Test func `scenes that do nothing are the floor, and are told like the others`() async throws {
    var scenario = try Self.small()
    scenario.mix = try #require(LoadEventMix("message=40,activity=30,url=30"))
    var test = LoadTest(scenario, in: .memory, clock: ContinuousClock(), meter: Counter())
    test.measuresFloor = true
    let summary = try await test.run()
    #expect(summary.verdict([]) == "held")
    #expect(summary.floor?.count == 3_000)
    #expect(summary.text.contains("floor"))
    #expect(summary.rows.contains { $0.labels == ["scene": "floor"] && $0.metric == "latency" })
    let lines = summary.text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("sent over 1 ms late") })
  }

  @Test func `users who wait for their events are served in turn`() async throws {
    var scenario = try Self.small()
    scenario.pace = .closed(users: 8)
    scenario.end = .events(2_000)
    let summary = try await run(scenario)
    #expect(summary.verdict([]) == "held")
    // Some are refused since their sessions were discarded.
    #expect((1...2_000).contains(summary.sent))
    #expect(summary.intendedRate == nil)
  }

  @Test func `a threshold that is crossed is named`() async throws {
    let summary = try await run(try Self.small())
    let never = try #require(LoadThreshold("p99>100000s"))
    let always = try #require(LoadThreshold("p50>1us"))
    #expect(summary.crossed([never, always]) == ["p50>1us"])
    #expect(summary.verdict([always]).contains("p50>1us"))
  }

  @Test func `an interrupted test verifies what ran`() async throws {
    var scenario = try Self.small()
    scenario.end = .seconds(3_600)
    scenario.mix = LoadEventMix()
    let asked = Guarded(0)
    let test = LoadTest(
      scenario, in: .memory, clock: ContinuousClock(), meter: Counter(),
      isInterrupted: {
        asked.withLock { asked in
          asked += 1
          return asked > 2_000
        }
      })
    let summary = try await test.run()
    #expect(summary.isInterrupted)
    #expect(summary.violations == [])
    // It is said wherever its results are.
    #expect(summary.verdict([]) == "held, stopped early")
    #expect(summary.text.hasPrefix("stopped early: "))
    #expect(summary.rows.first { $0.metric == "complete" }?.value == 0)
    #expect(Report(run: "load-1", summary.rows).html.contains("stopped early"))
  }

  @Test func `a threshold on what was not measured is no threshold that held`() async throws {
    let isRunning = Guarded(false)
    let test = LoadTest(
      try Self.small(), in: .memory, clock: ContinuousClock(), meter: Counter(),
      show: { progress in
        if case .step(.running) = progress { isRunning.withLock { $0 = true } }
      }, isInterrupted: { isRunning.withLock { $0 } })
    let summary = try await test.run()
    #expect(summary.latencies.count == 0)
    let threshold = try #require(LoadThreshold("p99>100000s"))
    #expect(
      summary.verdict([threshold]) == "violated: threshold p99>100000s was not measured")
  }

  @Test func `an interrupt while the sessions are asked cuts nothing short`() async throws {
    let isAsking = Guarded(false)
    let test = LoadTest(
      try Self.small(), in: .memory, clock: ContinuousClock(), meter: Counter(),
      show: { progress in
        if case .step(.verifying) = progress { isAsking.withLock { $0 = true } }
      }, isInterrupted: { isAsking.withLock { $0 } })
    let summary = try await test.run()
    #expect(!summary.isInterrupted)
    #expect(summary.verdict([]) == "held")
    #expect(summary.rows.first { $0.metric == "complete" }?.value == 1)
  }

  @Test(arguments: [
    (MistakenDelegate.Mistake.drop, "not delivered"), (.double, "twice"),
    (.swap, "out of their order"), (.oldState, "older state"),
  ])
  func `a delegate that makes mistakes is found, and its mistake is named`(
    mistake: MistakenDelegate.Mistake, word: String
  ) async throws {
    var scenario = try Self.small()
    scenario.mix = LoadEventMix()
    let folder = try TemporaryFolder()
    let summary = try await run(scenario, in: .folder(folder.path), mistake)
    let verdict = summary.verdict([])
    #expect(verdict.hasPrefix("violated: "))
    #expect(verdict.contains(word), "\(mistake): \(verdict)")
  }
}
