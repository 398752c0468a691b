// SPDX-License-Identifier: Apache-2.0

/// Times a piece of work: wall clock, processor time and allocations.
struct Stopwatch {
  let meter: (any MemoryMeter)?
  let clock: ContinuousClock

  func measure(
    _ name: String, _ operations: Int, _ body: () async throws -> Void
  ) async rethrows -> Measurement {
    try await measure(
      name,
      counting: {
        try await body()
        return operations
      })
  }

  /// Times work that says only at its end how many operations it was.
  func measure(
    _ name: String, counting body: () async throws -> Int
  ) async rethrows -> Measurement {
    let allocationsBefore = meter?.memory()?.allocations
    let processorBefore = ProcessorTime.used
    let start = clock.now
    let operations = try await body()
    let seconds = start.duration(to: clock.now) / .seconds(1)
    let processor = ProcessorTime.used - processorBefore
    let allocations = meter?.memory()?.allocations
    return Measurement(
      name: name, operations: operations, seconds: seconds, processors: processor / seconds,
      allocations: allocationsBefore.flatMap { before in
        allocations.map { Double($0 - before) / Double(operations) }
      })
  }
}
