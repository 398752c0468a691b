// SPDX-License-Identifier: Apache-2.0

/// Everything that can be admitted: what programs request, what users and systems do, and events
/// and messages that change the state of a scene.
enum Command: Sendable {
  case activate(SceneSessionActivationRequest)
  case newSession(SceneSession.Role, group: SceneGroup?)
  case event(SceneEvent, source: SessionIdentifier?)
  case refresh(SessionIdentifier)
  case destroy(SessionIdentifier, LifecycleEvent.Reason)
  case background(SessionIdentifier)
  case interrupt(SessionIdentifier)
  case resume(SessionIdentifier)
  case disconnect(SessionIdentifier, LifecycleEvent.Reason)
  /// A message or call for a session whose scene has to be connected first.
  case deliver(ShardItem.Work, SessionIdentifier)
  /// A stored session connects in the background (``ApplicationSettings/Launch/connectAll``).
  case connect(SessionIdentifier)

  /// The session that the command names, if it names one.
  var session: SessionIdentifier? {
    switch self {
    case .activate(let request): request.session
    case .newSession, .event: nil
    case .refresh(let session), .destroy(let session, _), .background(let session),
      .interrupt(let session), .resume(let session), .disconnect(let session, _),
      .deliver(_, let session), .connect(let session):
      session
    }
  }

  /// Whether the command makes work that may be refused because there is too much of it.
  ///
  /// What frees resources is never refused for load.
  var isNewWork: Bool {
    switch self {
    case .activate, .newSession, .event, .refresh, .resume, .deliver, .connect: true
    case .destroy, .background, .interrupt, .disconnect: false
    }
  }
}

extension Command {
  init(_ request: SessionRequest) {
    switch request {
    case .activate(let activation): self = .activate(activation)
    case .refresh(let session): self = .refresh(session)
    case .destroy(let session, let options):
      self = .destroy(session, .dismissed(options.windowDismissalAnimation))
    }
  }

  init(_ command: HostCommand) {
    switch command {
    case .open(let session): self = .activate(SceneSessionActivationRequest(session: session))
    case .newWindow(let role, let group): self = .newSession(role, group: group)
    case .close(let session): self = .destroy(session, .dismissed(.standard))
    case .background(let session): self = .background(session)
    case .interrupt(let session): self = .interrupt(session)
    case .resume(let session): self = .resume(session)
    case .disconnect(let session): self = .disconnect(session, .system)
    }
  }
}
