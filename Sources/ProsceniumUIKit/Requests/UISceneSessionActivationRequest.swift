// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The request to bring a session to the foreground, made if need be (R-REQ-2).
public struct UISceneSessionActivationRequest: Hashable {
  /// The role in which a session is looked for or made.
  public let role: UISceneSession.Role

  /// The session, or nil for one that prefers the activity's content, else a new one.
  public let session: UISceneSession?

  /// What the scene is to show, whether or not the session exists already (R-REQ-3).
  public var userActivity: NSUserActivity?

  /// Who asks.
  public var options: UIScene.ActivationRequestOptions?

  /// Makes a request for some session of a role.
  public init(
    role: UISceneSession.Role = .windowApplication, userActivity: NSUserActivity? = nil,
    options: UIScene.ActivationRequestOptions? = nil
  ) {
    self.role = role
    session = nil
    self.userActivity = userActivity
    self.options = options
  }

  /// Makes a request for one session.
  public init(
    session: UISceneSession, userActivity: NSUserActivity? = nil,
    options: UIScene.ActivationRequestOptions? = nil
  ) {
    role = session.fixedRole
    self.session = session
    self.userActivity = userActivity
    self.options = options
  }

  /// The request as the runtime takes it.
  @MainActor var value: SessionRequest {
    let activity = userActivity?.value
    let options = options?.value ?? Scene.ActivationRequestOptions()
    guard let session else {
      return .activate(
        SceneSessionActivationRequest(role: role.value, userActivity: activity, options: options))
    }
    return .activate(
      SceneSessionActivationRequest(
        session: session.identifier, userActivity: activity, options: options))
  }
}

@available(*, unavailable)
extension UISceneSessionActivationRequest: Sendable {}
