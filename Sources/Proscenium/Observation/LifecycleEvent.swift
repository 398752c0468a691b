// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a session or its scene, for observers.
public struct LifecycleEvent: Sendable {
  /// Why a scene was disconnected or a session discarded.
  public enum Reason: Sendable, Hashable {
    /// The user closed it, or a request destroyed it, with the reason that was given.
    case dismissed(Scene.DestructionRequestOptions.DismissalAnimation)
    /// The system, or the host in its name, took the memory.
    case system
    /// The application ended.
    case termination
    /// The session was discarded while the application was not running (R-DST-4).
    case whileNotRunning
  }

  /// What was accepted for a session and could not be delivered.
  public enum Loss: Sendable {
    /// A message.
    case message(SceneMessage)
    /// A routed event.
    case event(SceneEvent)
  }

  /// What happened.
  public enum Kind: Sendable {
    /// A scene was connected; `isNew` tells whether the session is new as well.
    case connected(isNew: Bool)
    /// The scene went from one state to another.
    case transition(from: Scene.ActivationState, to: Scene.ActivationState)
    /// The delegate was asked for its state; `isChanged` tells whether it differed from the last.
    case captured(isChanged: Bool)
    /// The scene was disconnected.
    case disconnected(Reason)
    /// The session is gone.
    case discarded(Reason)
    /// Something that was accepted is lost: the session ended before it.
    case lost(Loss)
    /// The delegate does not implement what an event, a message or a call asked for (R-LEG-3).
    case unhandled
    /// A request failed after it was admitted.
    case failed(SceneError)
  }

  /// The session.
  public let session: SessionIdentifier

  /// What happened.
  public let kind: Kind

  /// When it was noticed, since the application was made, on the clock of the settings.
  public let time: Duration
}
