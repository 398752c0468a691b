// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// How many events of a trace find their scene connected, by policy and by number of scenes.
package struct PolicyComparison: Sendable {
  /// One policy's hits, for each size.
  package struct Row: Hashable, Sendable {
    /// The policy's name.
    package let name: String
    /// The number of hits with each of the sizes.
    package let hits: [Int]
  }

  /// One time after which scenes are disconnected, and what comes of it.
  package struct IdleRow: Hashable, Sendable {
    /// The time in seconds.
    package let seconds: UInt32
    /// What comes of it.
    package let outcome: PolicyTrace.IdleOutcome
    /// The hits of the recommended order with as many scenes.
    package let recommendedHits: Int
  }

  /// The name of the last row, the upper bound.
  package static let optimumName = "optimum"
  private static let idleTimes: [UInt32] = [60, 600, 3_600]

  /// The number of events.
  package let events: Int
  /// The number of sessions.
  package let sessions: Int
  /// The number of lines that were no requests.
  package let malformed: Int
  /// How many scenes stay connected, of each column.
  package let sizes: [Int]
  /// The policies that a runtime can have.
  package private(set) var rows: [Row] = []
  /// What no policy exceeds.
  package private(set) var optimum: [Int] = []
  /// The times; none where the trace has no times.
  package private(set) var idle: [IdleRow] = []

  /// Runs every policy over a trace with each size.
  ///
  /// - Parameters:
  ///   - trace: The trace, with an event at least.
  ///   - sizes: How many scenes stay connected, each 1 or more.
  ///   - progress: Is told how many of how many runs are over.
  package init(
    _ trace: PolicyTrace, sizes: [Int], progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) {
    events = trace.events.count
    sessions = trace.sessionCount
    malformed = trace.malformedCount
    self.sizes = sizes
    let total = (DisconnectionOrders.all.count + 1) * sizes.count + Self.idleTimes.count
    var done = 0
    func over<Result>(_ result: Result) -> Result {
      done += 1
      progress(done, total)
      return result
    }
    for orders in DisconnectionOrders.all {
      let hits = sizes.map { over(trace.hits(of: orders, scenes: $0)) }
      rows.append(Row(name: orders.name, hits: hits))
    }
    optimum = sizes.map { over(trace.optimalHits(scenes: $0)) }
    for seconds in Self.idleTimes {
      guard let outcome = over(trace.idleOutcome(after: seconds)) else { continue }
      let scenes = max(Int(outcome.meanConnected.rounded()), 1)
      idle.append(
        IdleRow(
          seconds: seconds, outcome: outcome,
          recommendedHits: trace.hits(of: .recommended, scenes: scenes)))
    }
  }

  /// The policy that comes nearest to the optimum on the average of the sizes; of equals the first.
  package var best: Row? {
    rows.min { distance($0) < distance($1) }
  }

  /// How far a policy is below the optimum: the mean difference of the hit rates in points.
  package func distance(_ row: Row) -> Double {
    let differences = zip(optimum, row.hits).map { rate($0) - rate($1) }
    return differences.reduce(0, +) / Double(max(sizes.count, 1))
  }

  /// A number of hits as a hit rate in percent.
  package func rate(_ hits: Int) -> Double { Double(hits) * 100 / Double(max(events, 1)) }
}
