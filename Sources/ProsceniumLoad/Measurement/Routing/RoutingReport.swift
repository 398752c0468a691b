// SPDX-License-Identifier: Apache-2.0

/// Everything that a ``RoutingMeasurement`` found.
public struct RoutingReport: Sendable {
  /// How fast decisions are, for each workload, number of sessions, way and number of threads.
  public internal(set) var decisions: [RoutingResult] = []

  /// How long single decisions took while conditions changed, and without changes.
  public internal(set) var latencies: [RoutingLatency] = []

  /// What a reading of the clock costs that each of ``latencies`` includes, in nanoseconds.
  public internal(set) var clockReading = 0

  /// What sessions and conditions cost in memory.
  public internal(set) var memory: [MemoryCost] = []

  /// How a decision's time grew with the number of sessions.
  public var growth: [RoutingGrowth] { RoutingGrowth.all(of: decisions) }

  /// How many decisions were wrong; any is a failure.
  public var wrong: Int {
    decisions.reduce(0) { $0 + $1.wrong } + latencies.reduce(0) { $0 + $1.wrong }
  }
}
