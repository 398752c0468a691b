// SPDX-License-Identifier: Apache-2.0

/// How a decision's time grew with the number of sessions, beside that of the floor.
public struct RoutingGrowth: Sendable {
  /// What the sessions are like, and what is looked up.
  public let workload: String

  /// How decisions are made, by one thread.
  public let way: RoutingResult.Way

  /// The two numbers of sessions that are compared.
  public let sessions: (from: Int, to: Int)

  /// The time of a decision among many sessions, divided by that among few.
  public let factor: Double

  /// The same of the floor, which grows since memory is slower than the processor's caches.
  public let floorFactor: Double

  /// By how much more than the floor the way grew: 1 where it grew only with the machine.
  public var quotient: Double { factor / floorFactor }

  /// Computes the growth of each workload from 10,000 sessions to the largest number.
  ///
  /// Without results for 10,000 sessions the smallest number takes their place.
  ///
  /// - Parameter results: Results of any workloads and ways.
  /// - Returns: What can be computed from them, in the results' order.
  public static func all(of results: [RoutingResult]) -> [RoutingGrowth] {
    let sizes = Set(results.map(\.sessions))
    guard let smallest = sizes.min(), let to = sizes.max(), smallest < to else { return [] }
    let from = sizes.contains(10_000) && to > 10_000 ? 10_000 : smallest
    return results.filter { $0.sessions == to && $0.threads == 1 }.compactMap { result in
      guard let floor = result.way.floor, result.way != .scan,
        let factor = growth(results, result.workload, result.way, from, to),
        let floorFactor = growth(results, result.workload, floor, from, to)
      else { return nil }
      return RoutingGrowth(
        workload: result.workload, way: result.way, sessions: (from, to), factor: factor,
        floorFactor: floorFactor)
    }
  }

  private static func growth(
    _ results: [RoutingResult], _ workload: String, _ way: RoutingResult.Way, _ from: Int,
    _ to: Int
  ) -> Double? {
    func nanoseconds(_ sessions: Int) -> Double? {
      results.first {
        $0.workload == workload && $0.way == way && $0.sessions == sessions && $0.threads == 1
      }?.nanoseconds
    }
    guard let before = nanoseconds(from), let after = nanoseconds(to) else { return nil }
    return after / before
  }
}
