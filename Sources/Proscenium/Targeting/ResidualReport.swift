// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

/// Brings the number of predicates that are evaluated one by one to the metrics.
final class ResidualReport: Sendable {
  private let gauge: Gauge
  private let limit: Int
  private let last = Atomic<Int>(0)
  private let isReported = Atomic<Bool>(false)

  /// Creates a report of a router without sessions.
  ///
  /// - Parameters:
  ///   - metrics: Where the number goes.
  ///   - limit: Beyond how many it is to be logged.
  init(_ metrics: any MetricsFactory, limit: Int) {
    gauge = Gauge(label: "proscenium_residual_predicates", factory: metrics)
    self.limit = limit
  }

  /// Takes note of the number; to be called with no lock held, since a metrics library is the
  /// host's code.
  ///
  /// - Returns: Whether it is over the limit for the first time.
  func note(_ count: Int) -> Bool {
    // A look first, as nearly always nothing has changed.
    guard last.load(ordering: .relaxed) != count,
      last.exchange(count, ordering: .relaxed) != count
    else { return false }
    gauge.record(count)
    return count > limit && !isReported.exchange(true, ordering: .relaxed)
  }
}
