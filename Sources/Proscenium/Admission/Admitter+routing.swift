// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Events, the data of announced activities, and wakes.
extension Admitter {
  mutating func route(
    _ routed: RoutedEvent, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    // The first role, for which all events are.
    let role = SceneSession.Role.windowApplication
    let choice = try routed.choice(
      role: try catalog.index(of: role), router, directory,
      among: routed.group.map { ledger.sessions(of: $0) })
    // Another process asks whether there is one, and goes on otherwise.
    if choice.session == nil, routed.scope != .all { return Admitted() }
    var reporting = reporting
    reporting.routing = RoutingDecision(
      rule: choice.rule, session: choice.session.map { directory.identifier($0) })
    if let session = choice.session {
      return try bringForward(
        session, Approach(requester: nil, event: routed.event, goal: .foreground), reporting)
    }
    var new = Command.NewSession(role: role, group: routed.group, event: routed.event)
    // Another process that looks for the same at this moment comes to the same place.
    if settings.sliceDuties?.neighbours != nil, !routed.event.isAnnouncement {
      new.content = routed.event.targetContentIdentifier
    }
    return try openSession(new, reporting)
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

extension RoutedEvent {
  /// The session that gets the event, among all sessions or those of its group.
  fileprivate func choice(
    role: UInt8, _ router: ContentRouter, _ directory: SessionDirectory,
    among members: Set<SessionHandle>?
  ) throws(SceneError) -> RoutingChoice {
    let source = source.flatMap { directory.find($0) }
    let target = event.targetContentIdentifier
    do throws(RoutingRefusal) {
      guard let members else {
        return try router.choose(target, role: role, source: source, scope: scope)
      }
      return try router.choose(target, among: members, role: role, source: source)
    } catch {
      throw SceneError(error)
    }
  }
}
