// SPDX-License-Identifier: Apache-2.0

// The names that UIKit nests in its scene and its session.
extension Scene {
  /// How near a scene is to its user.
  public typealias ActivationState = SceneActivationState
  /// What ends a session, other than a request (R-DC-1).
  public typealias DestructionCondition = SceneDestructionCondition
  /// Why a request ends a session.
  public typealias DestructionReason = SceneDestructionReason
  /// The methods of a ``SceneDelegate``.
  public typealias Callback = DelegateCallback
}

extension SceneSession {
  /// What a session is for.
  public typealias Role = SceneSessionRole
}

extension Scene {
  /// How a scene is to be activated (semantics#options-of-requests).
  public struct ActivationRequestOptions: Sendable {
    /// Whether a new session joins the scene group of the one that asks.
    public enum CollectionJoinBehavior: Int, Sendable, Hashable {
      /// As the runtime prefers: it joins.
      case automatic = 0
      /// It joins and is activated.
      case preferred = 1
      /// It does not join: it belongs to the default group unless another is named.
      case disallowed = 2
      /// It joins and connects in the background; the one that asks stays where it is.
      case preferredWithoutActivating = 3
    }

    /// The session in whose scene the user acted.
    ///
    /// It is not the one that leaves the foreground (R-ACTV-2), and a new session inherits its
    /// scene group.
    public var requestingScene: SessionIdentifier?

    /// The scene group of a new session; `nil` leaves it to ``collectionJoinBehavior``.
    public var group: SceneGroup?

    /// Whose a new session is, 1 to 256 bytes; `nil` for the owner of ``requestingScene``, if it
    /// has one.
    ///
    /// A session of another owner is not used again for the content of the request.
    public var owner: String?

    /// Whether a new session joins the scene group of ``requestingScene``.
    public var collectionJoinBehavior: CollectionJoinBehavior

    /// Creates options.
    public init(
      requestingScene: SessionIdentifier? = nil, group: SceneGroup? = nil, owner: String? = nil,
      collectionJoinBehavior: CollectionJoinBehavior = .automatic
    ) {
      self.requestingScene = requestingScene
      self.group = group
      self.owner = owner
      self.collectionJoinBehavior = collectionJoinBehavior
    }
  }

}

extension Scene {
  /// Why a scene is being connected: what the user or the system wants it to show
  /// (semantics#connection-options).
  ///
  /// The same options are given to `configurationForConnecting` and to `willConnectTo`, but for the
  /// activity of a ``Wake``, which is known when the saved state is opened. What is
  /// here is not delivered a second time by a callback (R-CON-2). One connection has at most one
  /// reason, so that at most one field is set.
  public struct ConnectionOptions: Sendable {
    /// The URLs to open, in the order of their submission; UIKit's set has no order.
    public var urlContexts: [OpenURLContext] = []

    /// The program that opened the URL, or `nil`.
    public var sourceApplication: String? { urlContexts.first?.options.sourceApplication }

    /// The type of an activity of another device whose data will follow, or `nil`
    /// (semantics#hand-off).
    public var handoffUserActivityType: String?

    /// The activities to show, in the order of their submission; never one of another device.
    public var userActivities: [UserActivity] = []

    /// The user's answer to a notification, or `nil`.
    public var notificationResponse: NotificationResponse?

    /// The quick action that the user picked, or `nil`.
    public var shortcutItem: ShortcutItem?

    /// An accepted share, or `nil`.
    public var shareMetadata: ShareMetadata?

    /// Whether the scene is connected for no particular reason.
    public var isEmpty: Bool {
      urlContexts.isEmpty && handoffUserActivityType == nil && userActivities.isEmpty
        && notificationResponse == nil && shortcutItem == nil && shareMetadata == nil
    }

    /// Creates options, for tests of delegates; an application makes its own.
    public init(_ event: SceneEvent? = nil) {
      switch event {
      case nil: break
      case .url(let context): urlContexts = [context]
      case .activity(let activity): userActivities = [activity]
      case .shortcut(let item): shortcutItem = item
      case .notification(let response): notificationResponse = response
      case .share(let metadata): shareMetadata = metadata
      case .handoff(let type, _): handoffUserActivityType = type
      }
    }
  }
}
