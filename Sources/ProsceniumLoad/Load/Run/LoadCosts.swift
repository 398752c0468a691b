// SPDX-License-Identifier: Apache-2.0

/// What everything that happened in a load test took of the allocator, for each event, for each
/// captured state, and for each connected scene; nothing where the allocator does not tell.
public struct LoadCosts: Sendable {
  /// How often memory was allocated, for each delivered event.
  public let allocationsPerEvent: Double?
  /// How many bytes were allocated, freed ones included, for each delivered event.
  public let bytesPerEvent: Double?
  /// How often memory was allocated, for each state that had changed when it was captured.
  public let allocationsPerCapture: Double?
  /// How many bytes were allocated, freed ones included, for each such state.
  public let bytesPerCapture: Double?
  /// How many bytes are allocated beyond what the program had before its first session, for each
  /// connected scene: those of the sessions without scenes among them.
  public let bytesPerConnectedScene: Double?

  /// Computes the costs.
  ///
  /// - Parameters:
  ///   - samples: What was seen each second; the first one is where counting begins.
  ///   - empty: What the allocator had before the first session.
  init(_ samples: [LoadSample], empty: MemoryReading?) {
    // The first reading is at the end of the first second.
    let events = samples.dropFirst().reduce(0) { $0 + $1.latencies.count }
    let captures = samples.dropFirst().reduce(0) { $0 + $1.captures }
    let readings = samples.compactMap(\.memory)
    let allocations = Self.growth(of: \.allocations, in: readings)
    let bytes = Self.growth(of: \.bytesEver, in: readings)
    allocationsPerEvent = Self.ratio(allocations, events)
    bytesPerEvent = Self.ratio(bytes, events)
    allocationsPerCapture = Self.ratio(allocations, captures)
    bytesPerCapture = Self.ratio(bytes, captures)
    let held = readings.last.flatMap { last in empty.map { last.allocated - $0.allocated } }
    bytesPerConnectedScene = Self.ratio(held, samples.last?.connected ?? 0)
  }

  private static func growth(
    of counter: (MemoryReading) -> Int, in readings: [MemoryReading]
  ) -> Int? {
    guard let first = readings.first, let last = readings.last else { return nil }
    return counter(last) - counter(first)
  }

  private static func ratio(_ number: Int?, _ count: Int) -> Double? {
    guard let number, number > 0, count > 0 else { return nil }
    return Double(number) / Double(count)
  }
}
