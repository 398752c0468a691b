// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

// Events: which session shows their content (section 3.3).
extension ApplicationCore {
  /// The session that prefers content.
  func preferred(_ identifier: String, role: UInt8) throws(SceneError) -> SessionIdentifier? {
    try ContentRouter.check(identifier)
    return try router.named { (table) throws(SceneError) in
      try table.chooseForActivation(identifier, role: role, source: nil)
    }.session
  }

  /// How many types of activities of other devices may be announced at a time.
  static let handoffLimit = 1_024

  /// Brings the number of predicates that are evaluated one by one to the metrics, and to the log
  /// the first time that it is over the limit; with no lock held, since both are the host's code.
  func noteResidualPredicates() {
    let count = router.residualCount
    // A look first, as nearly always nothing has changed.
    guard residual.last.load(ordering: .relaxed) != count,
      residual.last.exchange(count, ordering: .relaxed) != count
    else { return }
    residual.gauge.record(count)
    guard count > settings.residualPredicateLimit,
      !residual.isReported.exchange(true, ordering: .relaxed)
    else { return }
    diagnose(.residualPredicates(count), nil)
  }
}

/// What has been said of the predicates that are evaluated one by one.
final class ResidualReport: Sendable {
  let gauge: Gauge
  let last = Atomic<Int>(0)
  let isReported = Atomic<Bool>(false)

  init(_ metrics: any MetricsFactory) {
    gauge = Gauge(label: "proscenium_residual_predicates", factory: metrics)
  }
}
