// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// How a scene is to be activated (section 1.4 of the semantics).
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

    /// Whether a new session joins the scene group of ``requestingScene``.
    public var collectionJoinBehavior: CollectionJoinBehavior

    /// Creates options.
    public init(
      requestingScene: SessionIdentifier? = nil, group: SceneGroup? = nil,
      collectionJoinBehavior: CollectionJoinBehavior = .automatic
    ) {
      self.requestingScene = requestingScene
      self.group = group
      self.collectionJoinBehavior = collectionJoinBehavior
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

  /// What ends a session beside a request (R-DC-1).
  public struct DestructionCondition: Sendable, Hashable {
    let bit: UInt8

    /// The user dismisses the scene: its session is destroyed instead of going to the background.
    public static let userInitiatedDismissal = DestructionCondition(bit: 1)
    /// The system disconnects the scene, or the process ends: the session is destroyed with it.
    public static let systemDisconnection = DestructionCondition(bit: 2)
  }
}
