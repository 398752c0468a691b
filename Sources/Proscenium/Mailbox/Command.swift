// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Everything that can be admitted: what programs request, what users and systems do, and events
/// and messages that change the state of a scene.
enum Command: Sendable {
  case activate(SceneSessionActivationRequest)
  /// The user picks a session; `hold` stops the scene before it is active.
  case open(SessionIdentifier, hold: Bool)
  case newSession(NewSession)
  /// The user drops something: a new session opens with it (R-DD-2).
  case drop(SceneEvent)
  case event(RoutedEvent)
  case refresh(SessionIdentifier)
  /// A refresh that was requested is to be fulfilled now.
  case fulfilRefresh(SessionIdentifier)
  case destroy(SessionIdentifier, Scene.DestructionReason)
  /// The user closes a session.
  case close(SessionIdentifier)
  case background(SessionIdentifier)
  case interrupt(SessionIdentifier)
  case resume(SessionIdentifier)
  case disconnect(SessionIdentifier, LifecycleEvent.Reason)
  /// A message or call for a session whose scene has to be connected first.
  case deliver(ShardItem.Work, SessionIdentifier)
  /// A stored session connects in the background (``ApplicationSettings/Launch/connectAll``).
  case connect(SessionIdentifier)
  /// A wake of a session is due.
  case wake(SessionIdentifier)
  /// The data of an announced activity has come, or will not.
  case handoff(Delivery, activityType: String)

  /// A session that is to be made.
  struct NewSession: Sendable {
    var role = SceneSession.Role.windowApplication
    var group: SceneGroup?
    var owner: String?
    var requester: SessionIdentifier?
    var event: SceneEvent?
    /// Where it is made: at the place of its group, or of its owner, or of the content that it is
    /// made for.
    var placement: SessionPlacement {
      SessionPlacement(group: group, owner: owner, content: content)
    }
    /// The content that no session could show, if that has a place.
    var content: String?
    /// Whether it comes to the foreground, and whether it becomes active there.
    var goal = SceneLifecycle.Goal.foreground
  }

  /// The session that the command names, if it names one.
  var session: SessionIdentifier? {
    switch self {
    case .activate(let request): request.session
    case .newSession, .drop, .event, .handoff: nil
    case .open(let session, _), .refresh(let session), .fulfilRefresh(let session),
      .destroy(let session, _), .close(let session), .background(let session),
      .interrupt(let session), .resume(let session), .disconnect(let session, _),
      .deliver(_, let session), .connect(let session), .wake(let session):
      session
    }
  }

  /// Whether the command makes work that may be refused because there is too much of it.
  ///
  /// What frees resources is never refused for load.
  var isNewWork: Bool {
    switch self {
    case .activate, .open, .newSession, .drop, .event, .refresh, .fulfilRefresh, .resume, .deliver,
      .connect, .wake, .handoff:
      true
    case .destroy, .close, .background, .interrupt, .disconnect: false
    }
  }
}

extension Command {
  init(_ request: SessionRequest) {
    switch request {
    case .activate(let activation): self = .activate(activation)
    case .refresh(let session): self = .refresh(session)
    case .destroy(let session, let reason): self = .destroy(session, reason)
    case .deliver(let event, let source): self = .event(RoutedEvent(event, source: source))
    case .continueHandoff(let type, let activity):
      self = .handoff(.handoff(type, activity), activityType: type)
    case .failHandoff(let type, let error):
      self = .handoff(.handoffFailure(type, error), activityType: type)
    }
  }
}

/// Where the outcome of a command is reported.
struct Reporting: Sendable {
  var ticket: RequestTicket?
  var onFailure: (@Sendable (SceneError) -> Void)?
  /// Who waits for the same.
  var others: [RequestTicket] = []
  /// Where an event went; the plan that brings it there reports it.
  var routing: RoutingDecision?
  var reconnecting = Reconnecting.free

  /// Whether a caller waits, so that even a command with nothing to do has to follow what is
  /// queued.
  var isAwaited: Bool { ticket != nil }

  func cargo(
    _ delivery: Delivery? = nil, question: ConfigurationQuestion? = nil
  ) -> Plan.Cargo? {
    if delivery == nil, question == nil, onFailure == nil, others.isEmpty { return nil }
    return Plan.Cargo(
      delivery: delivery, routing: routing, question: question, onFailure: onFailure,
      others: others)
  }

  func fail(_ error: SceneError) {
    ticket?.fail(error)
    for other in others { other.fail(error) }
    onFailure?(error)
  }
}
