// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Events, the data of announced activities, and wakes.
extension Admitter {
  mutating func route(
    _ event: SceneEvent, _ source: SessionIdentifier?, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let role = SceneSession.Role.windowApplication
    let roleIndex = try catalog.index(of: role)
    let choice = try ApplicationCore.routed { () throws(RoutingRefusal) in
      try router.choose(
        event.targetContentIdentifier, role: roleIndex,
        source: source.flatMap { directory.find($0) })
    }
    var reporting = reporting
    reporting.routing = RoutingDecision(
      rule: choice.rule, session: choice.session.map { directory.identifier($0) })
    if let session = choice.session {
      return try bringForward(
        session, Approach(requester: nil, event: event, goal: .foreground), reporting)
    }
    return try openSession(Command.NewSession(role: role, event: event), reporting)
  }

  /// Notes which session was told that an activity will follow (semantics#hand-off).
  mutating func expectHandoff(_ type: String, _ handle: SessionHandle) {
    if handoffs.count >= Delivery.handoffLimit, handoffs[type] == nil {
      // Those of sessions that are gone first; then any, since the data of most will never come.
      handoffs = handoffs.filter { directory.find($0.value) != nil }
      if handoffs.count >= Delivery.handoffLimit, let any = handoffs.keys.min() {
        handoffs[any] = nil
      }
    }
    handoffs[type] = directory.identifier(handle)
  }

  /// The data of an announced activity has come, or will not.
  mutating func continueHandoff(
    _ delivery: Delivery, _ type: String, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    guard let session = handoffs.removeValue(forKey: type), let handle = directory.find(session)
    else {
      throw SceneError(
        .handoffNotAnnounced, "no session waits for the data of an activity of type \"\(type)\"")
    }
    return admitUnchanged(delivery, handle, reporting)
  }

  /// Brings what is due to a session's scene, where it is; without one it is connected in the
  /// background first.
  mutating func wake(
    _ session: SessionIdentifier, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let handle = try require(session)
    guard ledger[handle].state == .archived else {
      record(.woken(session))
      return admitUnchanged(.wake, handle, reporting)
    }
    let admitted = try connect(session, reporting, delivery: .wake)
    record(.woken(session))
    return admitted
  }
}
