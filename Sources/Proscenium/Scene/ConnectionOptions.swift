// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// Why a scene is being connected: what the user or the system wants it to show.
  ///
  /// The same options are given to `configurationForConnecting` and to `willConnectTo`. What stands
  /// here is not delivered a second time by a callback (R-CON-2).
  public struct ConnectionOptions: Sendable {
    /// The activities to show, in the order of their submission; UIKit's set has no order.
    public var userActivities: [UserActivity] = []

    /// Whether the scene is connected for no particular reason.
    public var isEmpty: Bool { userActivities.isEmpty }

    init(_ payload: SceneEvent? = nil) {
      if case .activity(let activity) = payload { userActivities = [activity] }
    }
  }

  /// How a scene is to be activated (section 1.4 of the semantics).
  public struct ActivationRequestOptions: Sendable {
    /// The session in whose scene the user acted.
    ///
    /// It is not the one that leaves the foreground (R-ACTV-2), and a new session inherits its
    /// scene group.
    public var requestingScene: SessionIdentifier?

    /// The scene group of a new session; `nil` inherits that of ``requestingScene``.
    public var group: SceneGroup?

    /// Creates options.
    public init(requestingScene: SessionIdentifier? = nil, group: SceneGroup? = nil) {
      self.requestingScene = requestingScene
      self.group = group
    }
  }

  /// How a session is to be destroyed (section 1.5 of the semantics).
  public struct DestructionRequestOptions: Sendable, Hashable {
    /// Why the session ends; observers see it as the reason of the discard.
    public enum DismissalAnimation: UInt8, Sendable, Hashable {
      /// The user asked for the content to go.
      case standard = 1
      /// The purpose of the session was fulfilled.
      case commit = 2
      /// The purpose of the session was not fulfilled for now.
      case decline = 3
    }

    /// Why the session ends.
    public var windowDismissalAnimation: DismissalAnimation

    /// Creates options.
    public init(windowDismissalAnimation: DismissalAnimation = .standard) {
      self.windowDismissalAnimation = windowDismissalAnimation
    }
  }
}

/// An event that is routed to a scene by the identifier of its content.
public enum SceneEvent: Sendable {
  /// An activity, from a search result, another application or the program itself.
  case activity(UserActivity)

  /// The identifier by which the event is routed, or `nil` (section 3.1 of the semantics).
  public var targetContentIdentifier: String? {
    switch self {
    case .activity(let activity): activity.routingIdentifier
    }
  }
}
