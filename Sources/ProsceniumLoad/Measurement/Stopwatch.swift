// SPDX-License-Identifier: Apache-2.0

/// Times a piece of work: wall clock, processor time and allocations.
struct Stopwatch {
  let meter: (any MemoryMeter)?
  let clock: ContinuousClock

  func measure(
    _ name: String, _ operations: Int, _ body: () async throws -> Void
  ) async rethrows -> Measurement {
    let allocationsBefore = meter?.memory()?.allocations
    let processorBefore = ProcessorTime.used
    let elapsed = try await clock.measure { try await body() }
    let processor = ProcessorTime.used - processorBefore
    let allocations = meter?.memory()?.allocations
    let seconds = elapsed / .seconds(1)
    return Measurement(
      name: name, operations: operations, seconds: seconds, processors: processor / seconds,
      allocations: allocationsBefore.flatMap { before in
        allocations.map { Double($0 - before) / Double(operations) }
      })
  }
}
