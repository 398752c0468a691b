// SPDX-License-Identifier: Apache-2.0

extension FuzzCoverage {
  /// Everything that random vectors have to meet.
  static let required: [String] =
    FuzzCommand.allCases.map { "command \($0.rawValue)" } + variants + edges + situations
    + lines.map { "line \($0)" }
    + ["single", "recent", "prefers", "can", "new", "forced"].map { "route \($0)" }

  private static let variants = [
    "command user.open held", "command launch by icon", "command launch by background",
    "command launch by event", "command event.url with a source",
    "command event.activity with a source", "command request.activate with a requester",
    "command request.activateRole with a requester",
  ]

  /// The transitions of semantics#legal-transitions, and how sessions end.
  private static let edges = ModelInvariants.edges.map { "edge \($0)" }

  private static let situations =
    [
      "held", "held with a victim", "completed", "completed with a victim", "timed out",
      "timed out with a victim", "an end waits", "hand-over", "connected for a refresh",
      "read after the unlock",
      "activated twice", "a session connects while it is activated again",
    ].map { "situation \($0)" } + ["unordered"]

  private static let lines =
    [
      "app.willFinishLaunching", "app.didFinishLaunching", "app.willTerminate", "process.exit",
      "app.configurationForConnecting", "app.didDiscardSceneSessions",
      "app.didReceiveNotification", "init", "willConnect({})", "willConnect({url",
      "willConnect({handoff", "willConnect({act", "willConnect({notif", "willConnect({shortcut",
      "willConnect({share", "willEnterForeground", "didBecomeActive", "willResignActive",
      "didEnterBackground", "didDisconnect", "stateRestorationActivity -> nil",
      "stateRestorationActivity -> …", "activityWillSave", "didUpdate",
      "restoreInteractionState", "snapshot", "snapshot(…)", "openURLContexts", "continue",
      "willContinue", "didFailToContinue", "performAction", "userDidAcceptShare",
      "log(configurationNotFound)", "log(undeclaredActivityType)", "log(unhandledEvent)",
      "log(forcedRoute)", "eval(true)", "eval(false)",
    ] + notes + errors

  private static let notes =
    [
      "didFinishLaunching", "willEnterForeground", "didBecomeActive", "willResignActive",
      "didEnterBackground", "willTerminate",
    ].map { "app.note(\($0))" }
    + [
      "willConnect", "didDisconnect", "willEnterForeground", "didActivate", "willDeactivate",
      "didEnterBackground",
    ].map { "note(\($0))" }

  private static let errors = [
    "err(connect, roleMismatch)", "err(activate, multipleScenesNotSupported)",
    "err(activate, requestDenied)", "err(destroy, requestDenied)",
    "err(disconnect, notInBackground)", "err(restore, restorationTimedOut)",
    "err(userInfo, notPropertyList)", "err(predicate, syntax)",
    "err(predicate, operatorNotAllowed)", "err(predicate, blockNotAllowed)",
    "err(predicate, keyPathNotAllowed)", "err(predicate, variableNotAllowed)",
    "err(predicate, functionNotAllowed)",
  ]
}
