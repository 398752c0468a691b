// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

// Events: which session shows their content (semantics#routing-decision).
extension ApplicationCore {
  /// The session that prefers content.
  func preferred(_ identifier: String, role: UInt8) throws(SceneError) -> SessionIdentifier? {
    try Self.routed { () throws(RoutingRefusal) in
      try router.decideForActivation(identifier, role: role).session
    }
  }

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

extension ApplicationCore {
  /// Asks the router, whose refusals become those of a request.
  static func routed<Answer>(
    _ ask: () throws(RoutingRefusal) -> Answer
  ) throws(SceneError) -> Answer {
    do throws(RoutingRefusal) {
      return try ask()
    } catch {
      throw SceneError(error)
    }
  }
}

extension SceneError {
  /// The error of a request for which the router finds no session.
  package init(_ refusal: RoutingRefusal) {
    switch refusal {
    case .identifierTooLong: self.init(.limitExceeded, refusal.description)
    case .multipleScenesNotSupported:
      self.init(.multipleScenesNotSupported, refusal.description)
    case .sessionQuota: self.init(.quotaReached, refusal.description)
    }
  }
}
