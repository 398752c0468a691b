// SPDX-License-Identifier: Apache-2.0

/// What a program does with the scenes of one kind.
///
///     runtime                              delegate                          state in the callback
///     connect ───────────────────────────▶ scene(_:willConnectTo:options:)   unattached
///       there is a saved activity ────────▶ scene(_:restoreInteractionStateWith:)  background
///     foreground ────────────────────────▶ sceneWillEnterForeground(_:)      background
///       an event waits ──────────────────▶ scene(_:openURLContexts:), …      foregroundInactive
///                        ────────────────▶ sceneDidBecomeActive(_:)          foregroundActive
///     message, call ─────────────────────▶ scene(_:didReceive:), scene(_:replyTo:)
///     interruption ──────────────────────▶ sceneWillResignActive(_:)         foregroundActive
///     background ────────────────────────▶ sceneDidEnterBackground(_:)       background
///       state capture ───────────────────▶ stateRestorationActivity(for:)    background
///                                          scene(_:captureInto:), scene(_:didUpdate:)
///       switcher snapshots ──────────────▶ snapshot(for:variant:)            background
///     disconnect, destroy ───────────────▶ sceneDidDisconnect(_:)            unattached
///
/// A delegate is a plain class, made on its scene's executor and used there alone; it need not be
/// `Sendable`, and it cannot be shared between scenes. Callbacks are synchronous and receive the
/// scene as `isolated`, so that they read and set its properties without `await`. The callbacks of
/// one scene never overlap; those of different scenes run at the same time (R-ID-6). A request made
/// in a callback takes effect after the callback returned. All methods are optional.
public protocol SceneDelegate: AnyObject {
  /// Tells the delegate that its scene is being connected to a session (semantics#connection).
  ///
  /// If both `options.userActivities` and `session.stateRestorationActivity` exist, the option is
  /// what the user just did (R-CON-3).
  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions)

  /// Gives the delegate the activity that was captured before the last disconnect, after it
  /// connected and before the scene first comes to the foreground (semantics#connection).
  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity)

  /// Tells the delegate that the scene is about to be seen.
  func sceneWillEnterForeground(_ scene: isolated Scene)

  /// Tells the delegate that the scene is active now.
  func sceneDidBecomeActive(_ scene: isolated Scene)

  /// Tells the delegate that the scene is about to stop being active.
  func sceneWillResignActive(_ scene: isolated Scene)

  /// Tells the delegate that the scene is no longer seen. State capture follows.
  func sceneDidEnterBackground(_ scene: isolated Scene)

  /// Tells the delegate that the scene is being released, by the system or with its session.
  func sceneDidDisconnect(_ scene: isolated Scene)

  /// Asks for the state to restore the scene from (R-SR-1).
  ///
  /// - Returns: The state; `nil` clears what was saved before (R-SR-3). A delegate without this
  ///   method leaves it as it is (R-SR-4).
  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity?

  /// Lets everything that takes part in the state write to the activity before it is kept.
  ///
  /// It follows ``stateRestorationActivity(for:)`` if that returned an activity. UIKit empties the
  /// activity's `userInfo` and asks the responders of the scene; here the activity comes as the
  /// delegate returned it (R-UA-1).
  func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity)

  /// Tells the delegate what was captured, after everything was written to it (R-BG-1).
  func scene(_ scene: isolated Scene, didUpdate activity: UserActivity)

  /// Asks for an image of the scene for the switcher, as bytes that the runtime does not interpret.
  ///
  /// It is asked in the background, after the state was captured, once for each variant of
  /// ``ApplicationSettings/snapshotVariants`` (R-BG-2).
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - variant: The variant, or `nil` if the settings name none.
  /// - Returns: Up to ``SceneSession/snapshotSizeLimit`` bytes; `nil` leaves the last snapshot as
  ///   it is. A larger one is not kept, and reported as `snapshotTooLarge`. Those of variants that
  ///   the settings do not name any more are dropped.
  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]?

  /// Gives the connected scene URLs that were opened (R-FG-3).
  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext])

  /// Gives the connected scene an activity that was routed or sent to it (R-FG-3).
  func scene(_ scene: isolated Scene, continue activity: UserActivity)

  /// Tells the delegate that an activity of another device will follow (semantics#hand-off).
  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String)

  /// Tells the delegate that the announced activity does not follow (semantics#hand-off).
  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable)

  /// Gives the connected scene a quick action (`windowScene(_:performActionFor:)` in UIKit).
  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem)

  /// Gives the connected scene an accepted share
  /// (`windowScene(_:userDidAcceptCloudKitShareWith:)` in UIKit).
  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata)

  /// Gives the scene a message that was sent to its session.
  func scene(_ scene: isolated Scene, didReceive message: SceneMessage)

  /// Answers a call.
  ///
  /// A caller of a delegate without this method gets ``SceneError/Code/unhandledCall``.
  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage
}

// The default implementations tell the scene that they ran: whether a delegate has a method matters
// in three places (R-SR-4, R-LEG-3, calls).
extension SceneDelegate {
  /// Does nothing.
  public func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {}

  /// Does nothing.
  public func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {}

  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: isolated Scene) {}

  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: isolated Scene) {}

  /// Does nothing.
  public func sceneWillResignActive(_ scene: isolated Scene) {}

  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: isolated Scene) {}

  /// Does nothing.
  public func sceneDidDisconnect(_ scene: isolated Scene) {}

  /// Leaves the saved state as it is (R-SR-4).
  public func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    scene.isUnhandled = true
    return nil
  }

  /// Writes nothing.
  public func scene(_ scene: isolated Scene, captureInto activity: inout UserActivity) {}

  /// Does nothing.
  public func scene(_ scene: isolated Scene, didUpdate activity: UserActivity) {}

  /// Takes no snapshot.
  public func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? { nil }

  /// Reports the URLs as unhandled (R-LEG-3).
  public func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    scene.isUnhandled = true
  }

  /// Does nothing.
  public func scene(
    _ scene: isolated Scene, willContinueUserActivityWithType activityType: String
  ) {}

  /// Leaves it to the runtime to report the failure (semantics#hand-off).
  public func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    scene.isUnhandled = true
  }

  /// Reports the quick action as unhandled (R-LEG-3).
  public func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    scene.isUnhandled = true
  }

  /// Reports the share as unhandled (R-LEG-3).
  public func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    scene.isUnhandled = true
  }

  /// Reports the activity as unhandled (R-LEG-3).
  public func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    scene.isUnhandled = true
  }

  /// Reports the message as unhandled.
  public func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    scene.isUnhandled = true
  }

  /// Reports the call as unhandled.
  public func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    scene.isUnhandled = true
    return ""
  }
}

/// A scene's delegate that writes its state field by field, and reads it back so.
///
/// The runtime asks it for fields instead of an activity: it calls neither
/// ``SceneDelegate/stateRestorationActivity(for:)`` and what follows that, nor
/// ``SceneDelegate/scene(_:restoreInteractionStateWith:)``. No dictionary is made. What is kept is
/// the same: an activity whose `userInfo` has the fields (R-SR-2).
/// ```swift
/// final class PadDelegate: StatefulSceneDelegate {
///   private var row = 0
///   private var text = ""
///
///   func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
///     state.write("row", row)
///     state.write("text", text)
///   }
///
///   func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
///     row = state.integer("row") ?? 0
///     text = state.string("text") ?? ""
///   }
/// }
/// ```
public protocol StatefulSceneDelegate: SceneDelegate {
  /// Asks for the state to restore the scene from (R-SR-1).
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - state: Takes the fields. Without any, what was saved before is cleared (R-SR-3).
  func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter)

  /// Gives the delegate the state that was captured before the last disconnect, after it connected
  /// and before the scene first comes to the foreground (semantics#connection).
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - state: Has the fields.
  func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader)
}

/// Sits between the runtime and a scene's delegate, to which it passes every callback on.
///
/// For programs that time what a delegate does, and for tools that write down what it is asked and
/// told. To the program it is invisible: ``Scene/delegate`` is the one behind all fronts.
package protocol SceneDelegateFront: SceneDelegate {
  /// The program's own delegate, or the front before it.
  var delegate: any SceneDelegate { get }
}
