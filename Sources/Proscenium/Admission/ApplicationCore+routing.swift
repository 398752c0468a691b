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
    var reporting = reporting
    reporting.routing = RoutingDecision(
      rule: choice.rule, session: choice.session.map { identifier($0) })
    if let session = choice.session {
      return try bringForward(
        session, Approach(requester: nil, event: event, goal: .foreground), reporting, &gate)
    }
    return try openSession(Command.NewSession(role: role, event: event), reporting, &gate)
  }

  /// The session that prefers content.
  func preferred(_ identifier: String, role: UInt8) throws(SceneError) -> SessionIdentifier? {
    try ContentRouter.check(identifier)
    return try router.named { (table) throws(SceneError) in
      try table.chooseForActivation(identifier, role: role, source: nil)
    }.session
  }

  /// How many types of activities of other devices may be announced at a time.
  static let handoffLimit = 1_024

  /// Notes which session was told that an activity will follow (section 3.6).
  func expectHandoff(_ type: String, _ handle: SessionHandle, _ gate: inout Gate) {
    if gate.handoffs.count >= Delivery.handoffLimit, gate.handoffs[type] == nil {
      // Those of sessions that are gone first; then any, since the data of most will never come.
      gate.handoffs = gate.handoffs.filter { find($0.value) != nil }
      if gate.handoffs.count >= Delivery.handoffLimit, let any = gate.handoffs.keys.min() {
        gate.handoffs[any] = nil
      }
    }
    gate.handoffs[type] = identifier(handle)
  }

  /// The data of an announced activity has come, or will not.
  func continueHandoff(
    _ delivery: Delivery, _ type: String, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    guard let session = gate.handoffs.removeValue(forKey: type), let handle = find(session) else {
      throw SceneError(
        .handoffNotAnnounced, "no session waits for the data of an activity of type \"\(type)\"")
    }
    return admitUnchanged(delivery, handle, reporting, &gate)
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
