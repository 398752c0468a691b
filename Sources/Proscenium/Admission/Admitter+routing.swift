// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Events, the data of announced activities, and wakes.
extension Admitter {
  mutating func route(
    _ event: SceneEvent, _ source: SessionIdentifier?, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let role = SceneSession.Role.windowApplication
    let roleIndex = try catalog.index(of: role)
    let choice = try SceneError.routed { () throws(RoutingRefusal) in
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

  /// The data of an announced activity has come, or will not.
  mutating func continueHandoff(
    _ delivery: Delivery, _ type: String, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    guard let session = handoffs.take(type), let handle = directory.find(session)
    else {
      throw SceneError(
        .handoffNotAnnounced, "no session waits for the data of an activity of type \"\(type)\"")
    }
    return admit(.unchanged, handle, reporting, delivery: delivery)
  }

  /// Brings what is due to a session's scene, where it is; without one it is connected in the
  /// background first.
  mutating func wake(
    _ session: SessionIdentifier, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let handle = try directory.require(session)
    guard ledger[handle].state == .archived else {
      record(.woken(session))
      return admit(.unchanged, handle, reporting, delivery: .wake)
    }
    let admitted = try connect(session, reporting, delivery: .wake)
    record(.woken(session))
    return admitted
  }
}
