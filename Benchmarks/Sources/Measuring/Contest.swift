// SPDX-License-Identifier: Apache-2.0

import Benchmark

/// One piece of work of one size, which the runtime, the floor and rivals do in turns.
///
/// Each round measures every contender once, and each begins with the next of them, so that a slow
/// moment of the machine meets all alike. The figure of a contender is the middle one of its
/// rounds; a ratio is the middle one of the rounds' ratios.
package struct Contest: Sendable {
  /// What the value of a reading is.
  package enum Value: Sendable {
    /// Operations a second: more is better.
    case rate
    /// Seconds: less is better.
    case seconds
    /// Bytes: less is better.
    case bytes
  }

  let name: String
  let labels: [String: String]
  let value: Value
  let rounds: Int
  let takesTurns: Bool

  /// Names a contest.
  ///
  /// - Parameters:
  ///   - name: What is done, without spaces.
  ///   - labels: The size of the work, such as `sessions` and its number.
  ///   - value: What a reading's value is.
  ///   - rounds: How often the contenders take turns; the scale says unless given.
  ///   - takesTurns: Whether each round begins with another contender. If not, each goes on where
  ///     the one before it ended.
  package init(
    _ name: String, _ labels: KeyValuePairs<String, Int> = [:], _ value: Value = .rate,
    rounds: Int = Scale.current.rounds, takesTurns: Bool = true
  ) {
    self.name = name
    self.labels = Dictionary(
      uniqueKeysWithValues: labels.map { ($0.key, String($0.value)) })
    self.value = value
    self.rounds = rounds
    self.takesTurns = takesTurns
  }

  /// Adds the contest to the benchmarks of the program.
  ///
  /// - Parameters:
  ///   - suite: The name of the suite.
  ///   - prepare: Makes the contenders before the first round. What they need is freed after the
  ///     last one.
  package func add(
    to suite: String, _ prepare: @escaping @Sendable () async throws -> [Contender]
  ) {
    let contest = RunningContest(self, suite)
    let size = labels.sorted { $0.key < $1.key }.map { "_\($0.value)_\($0.key)" }.joined()
    Benchmark(
      name + size,
      configuration: .init(
        metrics: [value.counted] + (value == .rate ? [.allocations, .allocated] : []),
        warmupIterations: 0, scalingFactor: .one, maxDuration: .seconds(3_600),
        maxIterations: rounds)
    ) { benchmark in
      for reading in contest.takeRound() {
        benchmark.measurement(value.counted, Int(reading.value * value.scale))
        if let allocations = reading.allocations, let allocated = reading.allocated {
          benchmark.measurement(.allocations, Int((allocations * 1_000).rounded()))
          benchmark.measurement(.allocated, Int((allocated * 1_000).rounded()))
        }
      }
    } setup: {
      await contest.begin(prepare)
    } teardown: {
      contest.end()
    }
  }
}

extension BenchmarkMetric {
  /// Allocations for 1,000 operations, as whole numbers are all that the library counts.
  fileprivate static let allocations = BenchmarkMetric.custom(
    "allocations_per_1000", polarity: .prefersSmaller)
  /// Allocated bytes for 1,000 operations.
  fileprivate static let allocated = BenchmarkMetric.custom(
    "bytes_per_1000", polarity: .prefersSmaller)
}

extension Contest.Value {
  /// The metric as the library counts it.
  fileprivate var counted: BenchmarkMetric {
    switch self {
    case .rate: .custom("operations_per_second", polarity: .prefersLarger)
    case .seconds: .custom("microseconds", polarity: .prefersSmaller)
    case .bytes: .custom("bytes", polarity: .prefersSmaller)
    }
  }

  fileprivate var scale: Double { self == .seconds ? 1_000_000 : 1 }
}
