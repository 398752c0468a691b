// SPDX-License-Identifier: Apache-2.0

/// The methods of a ``SceneDelegate``, each with its name as raw value.
public enum DelegateCallback: String, Sendable, Hashable, CaseIterable {
  /// The scene is being connected to its session.
  case willConnect = "scene(_:willConnectTo:options:)"
  /// The captured activity is given back.
  case restoreInteractionState = "scene(_:restoreInteractionStateWith:)"
  /// The scene is about to be seen.
  case willEnterForeground = "sceneWillEnterForeground(_:)"
  /// The scene is active now.
  case didBecomeActive = "sceneDidBecomeActive(_:)"
  /// The scene is about to stop being active.
  case willResignActive = "sceneWillResignActive(_:)"
  /// The scene is no longer seen.
  case didEnterBackground = "sceneDidEnterBackground(_:)"
  /// The scene is being released.
  case didDisconnect = "sceneDidDisconnect(_:)"
  /// The state is asked for.
  case stateRestorationActivity = "stateRestorationActivity(for:)"
  /// The captured activity can be written to.
  case captureInto = "scene(_:captureInto:)"
  /// The activity was captured.
  case didUpdate = "scene(_:didUpdate:)"
  /// The fields of the state are asked for.
  case captureState = "scene(_:captureStateInto:)"
  /// The fields that were captured are given back.
  case restoreState = "scene(_:restoreStateFrom:)"
  /// An image for the switcher is asked for.
  case snapshot = "snapshot(for:variant:)"
  /// URLs were opened.
  case openURLContexts = "scene(_:openURLContexts:)"
  /// An activity was routed or sent.
  case continueActivity = "scene(_:continue:)"
  /// An activity of another device will follow.
  case willContinueActivity = "scene(_:willContinueUserActivityWithType:)"
  /// The announced activity does not follow.
  case didFailToContinueActivity = "scene(_:didFailToContinueUserActivityWithType:error:)"
  /// A quick action was chosen.
  case performAction = "scene(_:performActionFor:)"
  /// A share was accepted.
  case userDidAcceptShare = "scene(_:userDidAcceptShareWith:)"
  /// A message was sent.
  case didReceive = "scene(_:didReceive:)"
  /// A call is to be answered.
  case replyTo = "scene(_:replyTo:)"
  /// A call is to be answered in pieces.
  case streamReplyTo = "scene(_:streamReplyTo:into:)"
  /// A client needs the whole output again.
  case renderAfter = "scene(_:renderAfter:)"
}
