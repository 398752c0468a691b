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
    session = nil
    self.role = role
    self.userActivity = userActivity
    self.options = options
  }

  /// Creates a request for one session, whose role it has.
  public init(
    session: SceneSession, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions = .init()
  ) {
    self.session = session.persistentIdentifier
    role = session.role
    self.userActivity = userActivity
    self.options = options
  }

  /// Creates a request for one session by its identifier.
  public init(
    session: SessionIdentifier, userActivity: UserActivity? = nil,
    options: Scene.ActivationRequestOptions = .init()
  ) {
    self.session = session
    role = .windowApplication
    self.userActivity = userActivity
    self.options = options
  }
}

/// A request that a program makes of its application.
public enum SessionRequest: Sendable {
  /// Bring a session to the foreground, made if need be (section 2.6).
  case activate(SceneSessionActivationRequest)
  /// Update what the switcher shows of a session that is not in the foreground (section 5).
  case refresh(SessionIdentifier)
  /// End a session for good (section 2.7).
  case destroy(SessionIdentifier, Scene.DestructionReason = .standard)
}

/// What a user or the system does to sessions; the host program plays both.
public enum HostCommand: Sendable {
  /// The user picks a session: it comes to the foreground; `hold` stops it before it is active, as
  /// while an opening animation runs.
  case open(SessionIdentifier, hold: Bool = false)
  /// The user opens a new window.
  case newWindow(SceneSession.Role = .windowApplication, group: SceneGroup? = nil)
  /// The user closes a session for good.
  case close(SessionIdentifier)
  /// The scene leaves the screen: background and state capture.
  case background(SessionIdentifier)
  /// Something covers the scene: it becomes inactive.
  case interrupt(SessionIdentifier)
  /// The interruption is over.
  case resume(SessionIdentifier)
  /// The user drops an activity: a new window opens with it (R-DD-2).
  case drop(UserActivity)
  /// The user drops a URL: a new window opens with it.
  case dropURL(OpenURLContext)
  /// The system connects a session in the background.
  case connect(SessionIdentifier)
  /// The system takes the memory of a scene in the background (R-DIS-1).
  case disconnect(SessionIdentifier)
}
