// SPDX-License-Identifier: Apache-2.0

/// The request to bring a session to the foreground, made if need be
/// (`UISceneSessionActivationRequest`).
public struct SceneSessionActivationRequest: Sendable {
  /// The session, or `nil` for one that prefers the activity's content, else a new one (R-REQ-2).
  public let session: SessionIdentifier?

  /// The role in which a session is looked for or made, or that of the session; without meaning if
  /// one is named by its identifier.
  public let role: SceneSession.Role

  /// What the scene is to show, whether or not the session exists already (R-REQ-3).
  public var userActivity: UserActivity?

  /// Who asks, and for which group.
  public var options: Scene.ActivationRequestOptions

  /// Creates a request for some session of a role.
  public init(
    role: SceneSession.Role = .windowApplication, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions = .init()
  ) {
    self.init(session: nil, role, userActivity, options)
  }

  /// Creates a request for one session, whose role it has.
  public init(
    session: SceneSession, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions = .init()
  ) {
    self.init(session: session.persistentIdentifier, session.role, userActivity, options)
  }

  /// Creates a request for one session by its identifier.
  public init(
    session: SessionIdentifier, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions = .init()
  ) {
    self.init(session: session, .windowApplication, userActivity, options)
  }
}

extension SceneSessionActivationRequest {
  /// The same request, for the session that it came to.
  func decided(
    for session: SessionIdentifier?, _ role: SceneSession.Role
  ) -> SessionRequest {
    .activate(Self(session: session, role, userActivity, options))
  }

  private init(
    session: SessionIdentifier?, _ role: SceneSession.Role, _ userActivity: UserActivity?,
    _ options: Scene.ActivationRequestOptions
  ) {
    self.session = session
    self.role = role
    self.userActivity = userActivity
    self.options = options
  }
}

/// A request that a program submits to its application, from a callback for example:
/// ``Application/submit(_:onFailure:)``.
public enum SessionRequest: Sendable {
  /// Bring a session to the foreground, made if need be (semantics#activation).
  case activate(SceneSessionActivationRequest)
  /// Update what the switcher shows of a session that is not in the foreground (semantics#refresh).
  case refresh(SessionIdentifier)
  /// End a session for good (semantics#destruction-and-discard).
  case destroy(SessionIdentifier, Scene.DestructionReason = .standard)
  /// Route an event to a scene by its content; a `source` is chosen among equals
  /// (semantics#routing-decision).
  case deliver(SceneEvent, source: SessionIdentifier? = nil)
  /// Give the data of an activity of another device, of the type that was announced
  /// (semantics#hand-off).
  case continueHandoff(String, UserActivity)
  /// Tell that the data of an activity of another device will not come.
  case failHandoff(String, any Error & Sendable)
}

/// What a user or the system does to sessions; the host program plays both, by
/// ``ApplicationHost/perform(_:)`` or ``ApplicationHost/submit(_:onFailure:)``.
public enum HostCommand: Sendable {
  /// The user picks a session: it comes to the foreground.
  ///
  /// With `hold` the scene stops before it is active, as while an opening animation runs; `resume`
  /// or `background` goes on from there.
  case open(SessionIdentifier, hold: Bool = false)
  /// The user opens a new session, which comes to the foreground.
  case newSession(
    SceneSession.Role = .windowApplication, group: SceneGroup? = nil, owner: String? = nil)
  /// The user closes a session for good.
  ///
  /// What it means for the last open session, ``ApplicationSettings/lastSessionClose`` says.
  case close(SessionIdentifier)
  /// The scene leaves the screen: background and state capture
  /// (semantics#background-and-snapshots).
  ///
  /// A session that ends when the user dismisses it, ends (R-DC-1).
  case background(SessionIdentifier)
  /// The user leaves the application: every scene in the foreground goes to the background.
  case backgroundAll
  /// Something covers the scene: it becomes inactive.
  case interrupt(SessionIdentifier)
  /// The interruption is over.
  case resume(SessionIdentifier)
  /// The user drops an activity: a new session opens with it, whichever prefers its content
  /// (R-DD-2).
  case drop(UserActivity)
  /// The user drops a URL: a new session opens with it.
  case dropURL(OpenURLContext)
  /// The system connects a session in the background, where it is not seen; one that has a scene is
  /// left alone.
  case connect(SessionIdentifier)
  /// The system takes the memory of a scene in the background; its session stays (R-DIS-1).
  case disconnect(SessionIdentifier)
  /// The system disconnects so many scenes in the background, least recently active first
  /// (R-DIS-4); those whose restoration is extended are spared.
  case relievePressure(count: Int)
  /// Fulfil all refreshes that were requested and wait for the host to say so
  /// (``ApplicationSettings/fulfilsRefreshesByHost``).
  case fulfilRefreshes
}
