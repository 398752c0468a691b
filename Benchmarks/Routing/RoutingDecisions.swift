// SPDX-License-Identifier: Apache-2.0

import Measuring
import ProsceniumLoad

/// Decisions about the identifiers of one workload, each compared with the one that is right.
struct RoutingDecisions: Sendable {
  /// Who decides, and how.
  enum Way {
    case single, floor
  }

  /// What another thread does at the same time.
  enum Company {
    case busyThread, writer
  }

  /// So many decisions are made between two looks at the clock.
  private static let batch = 256

  private let workload: RoutingWorkload
  private let trial: RoutingTrial
  private let floor: FloorTable

  init(_ mix: RoutingMix, sessions: Int) throws {
    workload = try RoutingWorkload(mix, sessions: sessions, lookups: 262_144, seed: 1)
    trial = RoutingTrial(workload)
    floor = FloorTable(workload)
  }

  func measure(_ way: Way) async throws -> Reading {
    try await Stopwatch(seconds: Scale.current.seconds / 2).measure {
      try decide(way, until: Stopwatch(seconds: Scale.current.seconds / 2).end)
    }
  }

  /// One by one, while another thread does something.
  func measure(beside company: Company) async throws -> Reading {
    let end = Stopwatch(seconds: Scale.current.seconds / 2).end
    return try await Stopwatch(seconds: 0).measure {
      // The other thread, whose work is not counted.
      async let other: Void = keepBusy(company, until: end)
      let decisions = try decide(.single, until: end)
      await other
      return decisions
    }
  }

  private func decide(_ way: Way, until end: ContinuousClock.Instant) throws -> Int {
    let stopwatch = Stopwatch(seconds: 0)
    var (count, wrong, position) = (0, 0, 0)
    repeat {
      let range = position..<min(position + Self.batch, workload.lookups.count)
      wrong += try countWrong(way, range)
      count += range.count
      position = range.upperBound == workload.lookups.count ? 0 : range.upperBound
    } while !stopwatch.isOver(end)
    // The floor knows exact identifiers only, and every identifier of the workload is one.
    guard wrong == 0 else { throw BenchmarkFailure("\(wrong) of \(count) decisions were wrong") }
    return count
  }

  private func countWrong(_ way: Way, _ range: Range<Int>) throws -> Int {
    switch way {
    case .single: try trial.countWrong(range)
    case .floor: floor.countWrong(range)
    }
  }

  @concurrent
  private func keepBusy(_ company: Company, until end: ContinuousClock.Instant) async {
    let stopwatch = Stopwatch(seconds: 0)
    var position = 0
    while !stopwatch.isOver(end) {
      guard company == .writer else { continue }
      let range = position..<min(position + 64, workload.sessions)
      trial.change(range)
      position = range.upperBound == workload.sessions ? 0 : range.upperBound
    }
  }
}
