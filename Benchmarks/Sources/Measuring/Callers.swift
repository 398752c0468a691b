// SPDX-License-Identifier: Apache-2.0

/// Tasks that do the same at the same time, as clients do.
package struct Callers: Sendable {
  private let count: Int
  private let stopwatch: Stopwatch

  /// Makes so many callers, who work for so many seconds.
  package init(_ count: Int, seconds: Double = Scale.current.seconds) {
    self.count = count
    stopwatch = Stopwatch(seconds: seconds)
  }

  /// Lets each caller repeat an operation until the time is over.
  ///
  /// - Parameters:
  ///   - batch: How many operations there are between two looks at the clock.
  ///   - operation: One operation; the caller and its random numbers are told.
  /// - Returns: A reading in operations a second of all callers together.
  /// - Throws: What an operation throws.
  package func measure(
    batch: Int = 1,
    _ operation: @escaping @Sendable (_ caller: Int, _ random: inout Random) async throws -> Void
  ) async throws -> Reading {
    try await stopwatch.measure {
      let end = stopwatch.end
      return try await withThrowingTaskGroup { group in
        for caller in 0..<count {
          // One of the callers.
          group.addTask {
            var random = Random(caller)
            var operations = 0
            repeat {
              for _ in 0..<batch { try await operation(caller, &random) }
              operations += batch
            } while !stopwatch.isOver(end)
            return operations
          }
        }
        return try await group.reduce(0, +)
      }
    }
  }

  /// Shares a list among the callers, and does something with each of its elements once.
  ///
  /// - Returns: A reading in elements a second.
  /// - Throws: What the function throws.
  package func measure<Element: Sendable>(
    each list: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
  ) async throws -> Reading {
    try await stopwatch.measure {
      try await withThrowingTaskGroup { group in
        for caller in 0..<count {
          // One of the callers, with his part of the list.
          group.addTask {
            let part = list.count * caller / count..<list.count * (caller + 1) / count
            for index in part { try await body(list[index]) }
          }
        }
        try await group.waitForAll()
      }
      return list.count
    }
  }
}
