// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad
import ProsceniumJemalloc

/// Times work and counts what it allocates.
package struct Stopwatch: Sendable {
  /// Counts the memory of this program.
  private static let meter: any MemoryMeter = Jemalloc()

  /// The bytes that this program has allocated and not freed.
  package static var allocatedBytes: Int { meter.memory()?.allocated ?? 0 }

  private let clock = ContinuousClock()
  private let duration: Duration

  /// Makes a stopwatch for work that lasts so many seconds.
  package init(seconds: Double) {
    duration = .seconds(seconds)
  }

  /// When work that begins now has to end.
  package var end: ContinuousClock.Instant { clock.now.advanced(by: duration) }

  /// Whether a moment has passed.
  package func isOver(_ end: ContinuousClock.Instant) -> Bool { ContinuousClock().now >= end }

  /// Times work that says how many operations it was.
  ///
  /// - Returns: A reading in operations a second.
  /// - Throws: What the work throws.
  package func measure(_ work: () async throws -> Int) async rethrows -> Reading {
    let before = Self.meter.memory()
    let callsBefore = SystemCalls.count
    let processorsBefore = Self.processorTime
    let start = clock.now
    let operations = Double(try await work())
    let seconds = start.duration(to: clock.now) / .seconds(1)
    var reading = Reading(operations / seconds)
    reading.processors = (Self.processorTime - processorsBefore) / seconds
    if let callsBefore, let calls = SystemCalls.count {
      reading.systemCalls = Double(calls - callsBefore) / operations
    }
    if let before, let after = Self.meter.memory() {
      reading.allocations = Double(after.allocations - before.allocations) / operations
      reading.allocated = Double(after.bytesEver - before.bytesEver) / operations
    }
    return reading
  }

  /// Repeats an operation on the calling thread until the time is over.
  ///
  /// - Parameters:
  ///   - batch: How many operations there are between two looks at the clock.
  ///   - operation: One operation; the number counts them from 0.
  /// - Returns: A reading in operations a second.
  /// - Throws: What an operation throws.
  package func measure(
    batch: Int, _ operation: (_ number: Int) throws -> Void
  ) async rethrows -> Reading {
    try await measure {
      let end = end
      var count = 0
      repeat {
        for number in count..<count + batch { try operation(number) }
        count += batch
      } while !isOver(end)
      return count
    }
  }

  /// The processor time that the program has used, in seconds.
  private static var processorTime: Double {
    var usage = rusage()
    #if canImport(Darwin)
      unsafe getrusage(RUSAGE_SELF, &usage)
    #else
      unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    #endif
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    return Double(seconds) + Double(microseconds) / 1_000_000
  }
}
