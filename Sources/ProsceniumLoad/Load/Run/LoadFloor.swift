// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

/// Measures the same load where nothing takes time but the delivery: the scenes stay connected, the
/// system does nothing, and the delegate only notes when an event arrives.
///
/// What of a load's latency is left here is the machine's and the load's own.
struct LoadFloor {
  /// How long events are counted at most, in seconds.
  private static let longest = 5.0

  private let test: LoadTest

  /// Prepares the same load as that of a test, without what is in its way.
  init(_ test: LoadTest) {
    var scenario = test.scenario
    scenario.connected = nil
    scenario.memoryLimit = nil
    scenario.refreshes = 0
    scenario.faults = FaultPlan()
    scenario.turn = .none
    if case .seconds(let seconds) = scenario.end {
      scenario.end = .seconds(min(seconds, Self.longest))
    }
    self.test = LoadTest(
      scenario, in: .memory, clock: test.clock, meter: test.meter,
      isInterrupted: test.isInterrupted)
  }

  /// Sends the load to scenes that do nothing; returns how long the events took.
  @concurrent
  func run() async throws -> LatencyHistogram {
    var run = LoadRun(test, try LoadStore(.memory))
    return try await run.measureFloor()
  }
}

/// Measures what the generator itself costs: everything that is done for an event, but by the
/// runtime.
///
/// The same events are drawn, written, read, checked and recorded as in the load, without an
/// application in between.
struct LoadRehearsal {
  /// How many events are rehearsed.
  private static let count = 100_000

  let scenario: LoadScenario
  let clock: ContinuousClock

  /// The time for an event, in seconds of one processor.
  @concurrent
  func run() async -> Double {
    let audit = LoadAudit(clock: clock)
    let tenants = LoadTenants(
      (0..<scenario.sessions).map { SessionIdentifier(high: 1, low: UInt64($0)) })
    var sender = LoadSender(0, of: 1, scenario)
    // So that what is measured finds its memory as warm as the load does.
    rehearse(&sender, tenants, audit, count: Self.count / 10)
    let start = clock.now
    rehearse(&sender, tenants, audit, count: Self.count)
    return start.duration(to: clock.now) / .seconds(1) / Double(Self.count)
  }

  private func rehearse(
    _ sender: inout LoadSender, _ tenants: LoadTenants, _ audit: LoadAudit, count: Int
  ) {
    for _ in 0..<count {
      sender.rehearse(tenants, at: audit.now) { event, session in
        guard let event else { return }
        audit.judge(event, after: event.number - 1, in: session)
        audit.record(event, hasWaited: false, in: session)
      }
    }
  }
}
