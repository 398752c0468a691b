// SPDX-License-Identifier: Apache-2.0

extension Contender {
  /// A floor in C that works for a time and says how many operations it did.
  ///
  /// - Parameters:
  ///   - seconds: How long it works; as long as the scale says unless given.
  ///   - work: Calls it with a number of nanoseconds.
  /// - Returns: The floor.
  package static func floor(
    seconds: Double = Scale.current.seconds,
    _ work: @escaping @Sendable (_ nanoseconds: UInt64) -> Int64
  ) -> Self {
    floor {
      try await Stopwatch(seconds: seconds).measure {
        let count = work(UInt64(seconds * 1_000_000_000))
        guard count >= 0 else { throw BenchmarkFailure("the system refused the floor's work") }
        return Int(count)
      }
    }
  }
}
