// SPDX-License-Identifier: Apache-2.0

/// Something that happened to the application, to a session or to its scene, for observers.
///
/// It is what UIKit posts as notifications, and what it keeps to itself: why a scene was
/// disconnected or a session discarded, and what the runtime did by a rule that surprises people.
public struct LifecycleEvent: Sendable {
  /// Why a scene was disconnected or a session discarded.
  public enum Reason: Sendable, Hashable {
    /// The user closed it, or a request destroyed it, with the reason that was given.
    case dismissed(SceneDestructionReason)
    /// The system, or the host in its name, took the memory.
    case system
    /// A policy took the memory: there were too many scenes, or too little was left (R-DIS-1).
    case pressure
    /// A policy took the memory: the scene was not used for a time (R-DIS-1).
    case idle
    /// Its restoration was extended and not completed in time (R-EXT-1).
    case restorationTimedOut
    /// The application ended.
    case termination
    /// The session was discarded while the application was not running (R-DST-4).
    case whileNotRunning
    /// Nothing makes a scene for the session's configuration any more (R-CFG-6).
    case unresolvableConfiguration
    /// One of the session's destruction conditions came true (R-DC-1).
    case destructionCondition
    /// The session was not used for as long as its role allows (``ClientRules/expiry``).
    case expired
    /// Another process serves the session from here on, with everything that was captured of it.
    case handedOver
    /// Another process has taken the session over: what this one still did comes to nothing.
    case fenced
  }

  /// What was accepted for a session and could not be delivered.
  public enum Loss: Sendable {
    /// A message.
    case message(SceneMessage)
    /// A routed event.
    case event(SceneEvent)
    /// The data of an announced activity, whose scene is gone.
    case handoff(UserActivity)
  }

  /// What UIKit posts about a scene, after its delegate was told (R-FG-1, R-FG-2).
  public enum SceneNotification: String, Sendable, Hashable, CaseIterable {
    /// The scene was connected.
    case willConnect
    /// The scene was disconnected.
    case didDisconnect
    /// The scene is about to be seen.
    case willEnterForeground
    /// The scene is active.
    case didActivate
    /// The scene is about to stop being active.
    case willDeactivate
    /// The scene is no longer seen.
    case didEnterBackground
  }

  /// What UIKit posts about the application, after the callback that causes it (R-AGG-1).
  ///
  /// Those about the foreground follow the state of all scenes together: a hand-over from one scene
  /// to another posts none. `applicationState` has its new value already.
  public enum ApplicationNotification: String, Sendable, Hashable, CaseIterable {
    /// The launch is complete but for the scenes.
    case didFinishLaunching
    /// The first scene is about to be seen.
    case willEnterForeground
    /// The first scene is active.
    case didBecomeActive
    /// The last active scene is about to stop being active.
    case willResignActive
    /// The last scene is no longer seen.
    case didEnterBackground
    /// The application ends.
    case willTerminate
  }

  /// What happened.
  public enum Kind: Sendable {
    /// The application delegate chose the configuration of the session.
    case configured(name: String?)
    /// A scene was made for the session; `isNew` tells whether the session is new as well.
    case connected(isNew: Bool)
    /// UIKit's notification about the scene.
    case notification(SceneNotification)
    /// UIKit's notification about the application.
    case applicationNotification(ApplicationNotification)
    /// The scene went from one state to another.
    case transition(from: SceneActivationState, to: SceneActivationState)
    /// The delegate was asked for its state; `isChanged` tells whether it differed from the last.
    case captured(isChanged: Bool)
    /// One pass of the switcher's snapshots, with its variant if variants are configured.
    case snapshotTaken(variant: String?)
    /// The scene has entered the background: its state is captured, its snapshots are taken.
    case settledInBackground
    /// The scene was disconnected.
    case disconnected(Reason)
    /// The session is gone.
    case discarded(Reason)
    /// The session goes on in another process; this one has nothing of it any more.
    case left(Reason)
    /// An event was routed (semantics#routing-decision).
    case routed(RoutingDecision)
    /// A wake was due, and its activity is given to the scene.
    case woken(Wake.ID)
    /// Something that was accepted is lost: the session ended before it.
    case lost(Loss)
    /// The runtime did something by a rule that surprises people.
    case diagnosed(Diagnostic)
    /// A request failed after it was admitted.
    case failed(SceneError)
  }

  /// The session, or nil if it is about the application.
  public let session: SessionIdentifier?

  /// What happened.
  public let kind: Kind

  /// When it was noticed, since the application was made, on the clock of the settings.
  public let time: Duration
}
