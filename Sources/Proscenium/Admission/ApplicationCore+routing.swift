// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

// Events: which session shows their content (section 3.3).
extension ApplicationCore {
  func route(
    _ event: SceneEvent, _ source: SessionIdentifier?, _ reporting: Reporting,
    _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let role = SceneSession.Role.windowApplication
    let choice = try router.choose(
      event.targetContentIdentifier, role: try catalog.index(of: role),
      source: source.flatMap { find($0) })
    guard let chosen = choice.session else {
      return try openSession(
        role, group: nil, requester: nil, event: event, reporting, &gate)
    }
    var admitted = bringForward(chosen, requester: nil, event: event, reporting, &gate)
    if choice.rule == .forced { admitted.diagnostic = .forcedRoute(identifier(chosen)) }
    return admitted
  }

  /// Brings the number of predicates that are evaluated one by one to the metrics, and to the log
  /// the first time that it is over the limit; with no lock held, since both are the host's code.
  func noteResidualPredicates() {
    let count = router.residualCount
    guard residual.last.exchange(count, ordering: .relaxed) != count else { return }
    residual.gauge.record(count)
    guard count > settings.residualPredicateLimit,
      !residual.isReported.exchange(true, ordering: .relaxed)
    else { return }
    Diagnostic.residualPredicates(count).log(to: log)
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
