// SPDX-License-Identifier: Apache-2.0

/// A request of the program about which the host's policy is asked
/// (``ApplicationSettings/allowsRequest``).
public struct PolicyQuestion: Sendable {
  /// What is asked for.
  public enum Request: Sendable, Hashable {
    /// A session is to come to the foreground; nil if it is to be made.
    case activation(SessionIdentifier?, SceneSession.Role)
    /// A session is to end.
    case destruction(SessionIdentifier)
  }

  /// What is asked for.
  public let request: Request

  /// The session in whose scene the user acted, if the request names one.
  ///
  /// UIKit wants requests to follow a direct interaction of the user; a host may refuse those that
  /// name no scene, or one that is not in the foreground.
  public let requestingScene: SessionIdentifier?

  /// How near the requesting scene is to the user; nil without one, or if it has no scene.
  public let requestingState: Scene.ActivationState?
}
