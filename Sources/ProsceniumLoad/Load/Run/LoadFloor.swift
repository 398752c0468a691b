// SPDX-License-Identifier: Apache-2.0

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
