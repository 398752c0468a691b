// SPDX-License-Identifier: Apache-2.0

/// What is to be done for a session in the process that serves it.
package enum ForwardedWork: Sendable {
  /// Is given the outcome.
  package typealias Answer<Value> = @Sendable (Result<Value, SceneError>) -> Void

  /// A message is delivered.
  case message(SceneMessage)
  /// A message is delivered, and answered when its effect is durable.
  case durable(SceneMessage, Answer<Void>)
  /// A message is delivered, and answered with the scene's reply.
  case call(SceneMessage, Answer<SceneMessage>)
  /// A request is carried out; its answer is the session, if it ends with one.
  case request(ForwardedRequest, Answer<StoredSession?>)
}

/// A request for a session that another process serves, or is to make.
package enum ForwardedRequest: Sendable {
  /// What is done to a session and needs no more than its name.
  package enum Action: String, Sendable, CaseIterable {
    case open, openAndHold, refresh, close, background, interrupt, resume, connect, disconnect
  }

  case action(Action)
  case destroy(SceneDestructionReason)
  /// Of the session to which it goes, or of none.
  case activate(SceneSessionActivationRequest)
  case newSession(SceneSessionRole, SceneGroup?, owner: String?)
  /// An event whose content no session of the sender's shows, or that is for a group's sessions.
  case event(RoutedEvent)
}

extension ShardItem.Work {
  /// The same for another process, if that can do it.
  var forwarded: ForwardedWork? {
    switch self {
    case .message(let message): .message(message)
    case .call(let message, let ticket): .call(message) { ticket.answer($0) }
    case .durable(let message, let ticket): .durable(message) { ticket.answer($0) }
    default: nil
    }
  }
}

extension Command {
  /// The same for another process, if that can do it.
  var forwarded: ForwardedRequest? {
    switch self {
    case .open(_, let hold): .action(hold ? .openAndHold : .open)
    case .refresh: .action(.refresh)
    case .close: .action(.close)
    case .background: .action(.background)
    case .interrupt: .action(.interrupt)
    case .resume: .action(.resume)
    case .connect: .action(.connect)
    case .disconnect(_, .system): .action(.disconnect)
    case .destroy(_, let reason): .destroy(reason)
    case .activate(let request): .activate(request)
    case .newSession(let new) where new.event == nil && new.goal == .foreground:
      .newSession(new.role, new.group, owner: new.owner)
    case .event(let routed) where !routed.event.isAnnouncement: .event(routed)
    case .newSession, .event, .disconnect, .drop, .fulfilRefresh, .deliver, .wake, .handoff: nil
    }
  }

  /// The command that another process has forwarded.
  init(_ request: ForwardedRequest, for session: SessionIdentifier) {
    switch request {
    case .action(.open): self = .open(session, hold: false)
    case .action(.openAndHold): self = .open(session, hold: true)
    case .action(.refresh): self = .refresh(session)
    case .action(.close): self = .close(session)
    case .action(.background): self = .background(session)
    case .action(.interrupt): self = .interrupt(session)
    case .action(.resume): self = .resume(session)
    case .action(.connect): self = .connect(session)
    case .action(.disconnect): self = .disconnect(session, .system)
    case .destroy(let reason): self = .destroy(session, reason)
    case .activate(let request): self = .activate(request)
    case .newSession(let role, let group, let owner):
      self = .newSession(NewSession(role: role, group: group, owner: owner))
    case .event(let routed): self = .event(routed)
    }
  }

  /// Where a session is made that the command makes, as far as it says so.
  var placement: SessionPlacement? {
    switch self {
    case .newSession(let new): new.placement
    case .activate(let request):
      SessionPlacement(
        group: request.options.group, owner: request.options.owner,
        content: request.sharedContent)
    case .event(let routed):
      SessionPlacement(group: routed.group, content: routed.event.targetContentIdentifier)
    default: nil
    }
  }
}

extension SceneSessionActivationRequest {
  /// The content by which any process may have the session for it: that of what belongs to a group
  /// or an owner is at their place.
  var sharedContent: String? {
    guard role == .windowApplication, options.group == nil, options.owner == nil else { return nil }
    return userActivity.flatMap { SceneEvent.activity($0).targetContentIdentifier }
  }
}
