// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Measures how fast identifiers find their sessions, beside a naive scan and a floor in C.
///
/// Every decision is compared with the session that is known to be right. All ways to decide about
/// one workload take turns, and the middle one of the rounds counts, so that a slow moment of the
/// machine meets all of them.
public struct RoutingMeasurement: Sendable {
  /// The numbers of sessions, in the order in which they are measured.
  public var sessions = [10, 1_000, 10_000, 100_000, 1_000_000]

  /// The kinds of conditions.
  public var mixes = RoutingMix.allCases

  /// How many decisions a batch asks for at once: 1 or more.
  public var batch = 256

  /// How often each way is timed: 1 or more.
  public var rounds = 3

  /// How long each way is timed in a round, in seconds.
  public var seconds = 0.08

  /// How many lookups are prepared; there are never fewer than sessions.
  public var lookups = 262_144

  /// Fixes texts and order.
  public var seed: UInt64 = 1

  let meter: (any MemoryMeter)?
  let clock: ContinuousClock
  private let report: @Sendable ([RoutingResult]) -> Void

  /// Creates a measurement.
  ///
  /// - Parameters:
  ///   - clock: Times the workloads.
  ///   - meter: Counts allocations, if the program has a counting allocator.
  ///   - report: Receives the results of one workload and one number of sessions, as soon as they
  ///     are there.
  public init(
    clock: ContinuousClock, meter: (any MemoryMeter)? = nil,
    report: @escaping @Sendable ([RoutingResult]) -> Void
  ) {
    self.clock = clock
    self.meter = meter
    self.report = report
  }

  /// Runs all workloads, one after another.
  ///
  /// - Returns: All results.
  /// - Throws: What making a predicate, the router and the system throw; nothing is expected.
  @concurrent
  public func run() async throws -> RoutingReport {
    var results = RoutingReport()
    for mix in mixes {
      for count in sessions { results.decisions += try await measure(mix, count) }
    }
    for isMatch in [true, false] {
      for count in sessions { results.decisions += try await measureDefaults(isMatch, count) }
    }
    for count in sessions { results.decisions += try await measureChanges(count) }
    for count in sessions { results.decisions += try await measureApplication(count) }
    if let count = sessions.max() {
      results.latencies = try measureLatencies(count)
      results.clockReading = measureClock()
      results.memory = try meter.map { try RoutingMemoryProbe(count: count, meter: $0).run() } ?? []
    }
    return results
  }

  // MARK: - Workloads

  private func measure(_ mix: RoutingMix, _ count: Int) async throws -> [RoutingResult] {
    let workload = try RoutingWorkload(mix, sessions: count, lookups: lookups, seed: seed)
    let router = workload.makeRouter()
    let floor = FloorTable(workload)
    let pairs: [[RoutingContender]] = (1...2).map { threads in
      [
        .router(router, workload, threads: threads),
        .floor(floor, threads: threads, prefetches: false),
        .router(router, workload, threads: threads, batch: batch),
        .floor(floor, threads: threads, prefetches: true),
      ]
    }
    return try await compare(pairs.flatMap(\.self) + [.scan(workload)], workload, mix.title)
  }

  private func measureDefaults(_ isMatch: Bool, _ count: Int) async throws -> [RoutingResult] {
    let workload = try RoutingWorkload(
      defaultsWithMatch: isMatch, sessions: count, lookups: lookups, seed: seed)
    let router = workload.makeRouter()
    return try await compare(
      [.router(router, workload, threads: 1), .router(router, workload, threads: 1, batch: batch)],
      workload, isMatch ? "defaults, the one match" : "defaults, no match")
  }

  private func measureChanges(_ count: Int) async throws -> [RoutingResult] {
    let workload = try RoutingWorkload(.exact, sessions: count, lookups: lookups, seed: seed)
    let changes = try RoutingChanges(workload, seed: seed)
    let contender = RoutingContender.router(
      workload.makeRouter(), changes, decisionsPerChange: 19)
    return try await compare([contender], workload, "exact, 5 % changes")
  }

  // MARK: - Timing

  /// Times ways to decide in turns.
  func compare(
    _ contenders: [RoutingContender], _ workload: RoutingWorkload, _ name: String
  ) async throws -> [RoutingResult] {
    var measurements = contenders.map { _ in [Measurement]() }
    var wrong = contenders.map { _ in 0 }
    for round in 0..<rounds {
      for (index, contender) in contenders.enumerated() {
        let first = workload.lookups.count / rounds * round
        let (measurement, wrongs) = try await time(contender, workload, name, first)
        measurements[index].append(measurement)
        wrong[index] += wrongs
      }
    }
    var results: [RoutingResult] = []
    for (index, contender) in contenders.enumerated() {
      wrong[index] += try contender.countWrongAtEnd()
      let sorted = measurements[index].sorted { $0.rate < $1.rate }
      results.append(
        RoutingResult(
          workload: name, sessions: workload.sessions, way: contender.way,
          threads: contender.threads, measurement: sorted[sorted.count / 2], wrong: wrong[index]))
    }
    report(results)
    return results
  }

  /// Times one way for a while, from a certain lookup on.
  private func time(
    _ contender: RoutingContender, _ workload: RoutingWorkload, _ name: String, _ first: Int
  ) async throws -> (Measurement, wrong: Int) {
    let share = workload.lookups.count / contender.threads
    var wrong = 0
    let measurement = try await Stopwatch(meter: meter, clock: clock).measure(name) {
      try await withThrowingTaskGroup { group in
        for thread in 0..<contender.threads {
          group.addTask {
            let first = (first + thread * share) % workload.lookups.count
            return try decide(contender, workload.lookups.count, first, thread)
          }
        }
        var decisions = 0
        for try await (count, wrongs) in group {
          decisions += count
          wrong += wrongs
        }
        return decisions
      }
    }
    return (measurement, wrong)
  }

  /// Makes decisions until the time is over.
  private func decide(
    _ contender: RoutingContender, _ lookups: Int, _ first: Int, _ thread: Int
  ) throws -> (decisions: Int, wrong: Int) {
    let end = clock.now.advanced(by: .seconds(seconds))
    var (decisions, wrong) = (0, 0)
    var position = first
    repeat {
      let range = position..<min(position + contender.chunk, lookups)
      wrong += try contender.countWrong(range, thread)
      decisions += range.count
      position = range.upperBound == lookups ? 0 : range.upperBound
    } while clock.now < end
    meter?.settleThread()
    return (decisions, wrong)
  }
}
