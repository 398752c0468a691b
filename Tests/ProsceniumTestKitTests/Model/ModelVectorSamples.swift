// SPDX-License-Identifier: Apache-2.0

/// Vectors that were written by hand from the rules, where several of them meet.
enum ModelVectorSamples {
  static let file = """
    {"format": "scene-conformance/1", "half": "A", "vectors": [
    \(vectors.joined(separator: ",\n"))
    ]}
    """

  private static let vectors = [
    heldHandOver, lateHandOver, handoffWithVictim, forcedColdEvent, undeclaredCapture, dance,
    switching, lateDiscards, locked, staleConfigurations, together, copiedStore, lastWindow,
    gone, inactiveEvent, mutedDelegate,
  ]

  static func vector(_ id: String, _ setup: String, _ steps: String) -> String {
    """
    {"id": "\(id)", "title": "\(id)", "rules": [], "grade": "sample",
     "setup": \(setup), "steps": [\(steps)]}
    """
  }

  private static let heldHandOver = vector(
    "a held newcomer keeps the victim inactive",
    """
    {"process": "running", "sessions": [
      {"label": "S1", "state": "active"}, {"label": "S2", "state": "archived"}],
     "sceneDelegate": {"S2": {"on": {"willConnect": [{"do": "extendStateRestoration"}]}}}}
    """,
    """
    {"cmd": "user.open", "session": "S2",
     "log": ["S1#1.willResignActive", "S2#2.init", "S2#2.willConnect({})"],
     "expect": {"applicationState": "inactive", "scenes": {
       "S1#1": {"activationState": "foregroundInactive"},
       "S2#2": {"activationState": "background"}}}},
    {"cmd": "scene.completeStateRestoration", "session": "S2",
     "log": ["S2#2.willEnterForeground", "S2#2.didBecomeActive", "S1#1.didEnterBackground",
       "S1#1.stateRestorationActivity -> nil", "S1#1.snapshot"],
     "expect": {"applicationState": "active"}}
    """)

  private static let lateHandOver = vector(
    "a newcomer that takes too long leaves, and its victim goes to the background",
    """
    {"process": "running", "restorationLimit": 4, "activities": {"a": {}}, "sessions": [
      {"label": "S1", "state": "active"},
      {"label": "S2", "state": "archived", "stateRestorationActivity": "a"}],
     "sceneDelegate": {"S2": {"on": {
       "restoreInteractionState": [{"do": "extendStateRestoration"}]}}}}
    """,
    """
    {"cmd": "user.open", "session": "S2", "log": ["S1#1.willResignActive", "S2#2.init",
      "S2#2.willConnect({})", "S2#2.restoreInteractionState(a)"]},
    {"cmd": "clock.advance", "seconds": 3, "log": []},
    {"cmd": "clock.advance", "seconds": 1,
     "log": ["err(restore, restorationTimedOut)", "S2#2.didDisconnect",
       "S1#1.didEnterBackground", "S1#1.stateRestorationActivity -> nil", "S1#1.snapshot"],
     "expect": {"openSessions": ["S1", "S2"], "connectedScenes": ["S1#1"],
       "sessions": {"S2": {"stateRestorationActivity": null}},
       "stored": {"S2": {"stateRestorationActivity": null}},
       "errors": [{"op": "restore", "code": "restorationTimedOut", "number": null}]}}
    """)

  private static let handoffWithVictim = vector(
    "an announcement and the end of another scene have no order",
    """
    {"process": "running", "sessions": [{"label": "S1", "state": "active"}, {"label": "S2",
      "state": "archived", "activationConditions": {"prefers": "SELF == 'x'"}}]}
    """,
    """
    {"cmd": "event.handoff", "type": "edit", "targetContentIdentifier": "x",
     "log": ["S1#1.willResignActive", "S2#2.init", "S2#2.willConnect({handoff:edit})",
       "S2#2.willEnterForeground", "S2#2.didBecomeActive",
       {"unordered": [["S1#1.didEnterBackground", "S1#1.stateRestorationActivity -> nil",
         "S1#1.snapshot"], ["S2#2.willContinue(edit)"]]}]},
    {"cmd": "handoff.fail", "type": "edit", "log": ["S2#2.didFailToContinue(edit)"]}
    """)

  private static let forcedColdEvent = vector(
    "at a launch the quota forces an event into an archived session",
    """
    {"sessionQuota": 1, "sessions": [{"label": "S1", "state": "archived",
      "activationConditions": {"can": "FALSEPREDICATE"}}]}
    """,
    """
    {"cmd": "launch", "event": {"cmd": "event.url", "url": "app://z"},
     "log": ["app.willFinishLaunching", "app.didFinishLaunching(nil)", "log(forcedRoute)",
       "S1#2.init", "S1#2.willConnect({url:[app://z]})", "S1#2.willEnterForeground",
       "S1#2.didBecomeActive"],
     "expect": {"lastRoute": {"rule": "forced", "candidates": ["S1"], "chosen": "S1"}}}
    """)

  private static let undeclaredCapture = vector(
    "an undeclared activity is kept in memory alone",
    """
    {"process": "running", "activities": {"a": {"type": "other"}},
     "sessions": [{"label": "S1", "state": "active"}],
     "sceneDelegate": {"*": {"stateRestorationActivity": "a"}}}
    """,
    """
    {"cmd": "user.home", "log": ["S1#1.willResignActive", "S1#1.didEnterBackground",
       "S1#1.stateRestorationActivity -> a", "S1#1.activityWillSave(a)", "S1#1.didUpdate(a)",
       "log(undeclaredActivityType)", "S1#1.snapshot"],
     "expect": {"sessions": {"S1": {"stateRestorationActivity": "a"}},
       "stored": {"S1": {"stateRestorationActivity": null}}}},
    {"cmd": "sys.disconnect", "session": "S1", "log": ["S1#1.didDisconnect"]},
    {"cmd": "request.refresh", "session": "S1", "log": []},
    {"cmd": "sys.tick", "log": ["S1#2.init", "S1#2.willConnect({})",
       "S1#2.restoreInteractionState(a)", "S1#2.stateRestorationActivity -> a",
       "S1#2.activityWillSave(a)", "S1#2.didUpdate(a)", "log(undeclaredActivityType)",
       "S1#2.snapshot"]},
    {"cmd": "sys.kill", "log": []},
    {"cmd": "launch", "log": ["app.willFinishLaunching", "app.didFinishLaunching(nil)",
       "S1#3.init", "S1#3.willConnect({})", "S1#3.willEnterForeground", "S1#3.didBecomeActive"]}
    """)

  private static let dance = vector(
    "a refresh with snapshots in the foreground tells the scene, not the application",
    """
    {"process": "running", "snapshotDance": "uikit", "notes": "all",
     "sessions": [{"label": "S1", "state": "background"}, {"label": "S2", "state": "archived"}]}
    """,
    """
    {"cmd": "request.refresh", "session": "S2", "log": [],
     "expect": {"sessions": {"S2": {"pendingRefresh": true}}}},
    {"cmd": "request.refresh", "session": "S1", "log": []},
    {"cmd": "sys.tick", "log": [{"unordered": [
       ["S1#1.willEnterForeground", "S1#1.note(willEnterForeground)", "S1#1.didEnterBackground",
        "S1#1.note(didEnterBackground)", "S1#1.stateRestorationActivity -> nil",
        "S1#1.snapshot"],
       ["S2#2.init", "S2#2.willConnect({})", "S2#2.note(willConnect)",
        "S2#2.willEnterForeground", "S2#2.note(willEnterForeground)", "S2#2.didEnterBackground",
        "S2#2.note(didEnterBackground)", "S2#2.stateRestorationActivity -> nil",
        "S2#2.snapshot"]]}],
     "expect": {"applicationState": "background"}}
    """)

  private static let switching = vector(
    "the net effect decides about the application's notifications",
    """
    {"process": "running", "notes": "app",
     "manifest": {"windowApplication": [{"name": "Default"}],
       "windowExternalDisplayNonInteractive": [{"name": "Mirror"}]},
     "sessions": [{"label": "S1", "state": "active"}, {"label": "S2", "state": "background"},
       {"label": "S3", "state": "archived", "role": "windowExternalDisplayNonInteractive"}]}
    """,
    """
    {"cmd": "user.open", "session": "S2", "log": ["S1#1.willResignActive",
       "S2#1.willEnterForeground", "S2#1.didBecomeActive", "S1#1.didEnterBackground",
       "S1#1.stateRestorationActivity -> nil", "S1#1.snapshot"]},
    {"cmd": "user.open", "session": "S3", "log": ["S2#1.willResignActive",
       "app.note(willResignActive)", "S3#2.init", "S3#2.willConnect({})",
       "S3#2.willEnterForeground", "S2#1.didEnterBackground",
       "S2#1.stateRestorationActivity -> nil", "S2#1.snapshot"],
     "expect": {"applicationState": "inactive"}},
    {"cmd": "user.close", "session": "S3", "log": ["S3#2.didDisconnect",
       "app.note(didEnterBackground)", "app.didDiscardSceneSessions{S3}"]},
    {"cmd": "user.open", "session": "S1", "hold": true,
     "log": ["S1#1.willEnterForeground", "app.note(willEnterForeground)"]},
    {"cmd": "user.home", "log": ["S1#1.didEnterBackground", "app.note(didEnterBackground)",
       "S1#1.stateRestorationActivity -> nil", "S1#1.snapshot"]}
    """)

  private static let lateDiscards = vector(
    "an outdated session is discarded after those of the time between",
    """
    {"sessions": [{"label": "S1", "state": "archived"}, {"label": "S2", "state": "archived"},
       {"label": "S3", "state": "archived", "configuration": {"name": "Gone"}}]}
    """,
    """
    {"cmd": "sys.discardWhileDown", "session": "S2", "log": [],
     "expect": {"storedSessions": ["S1", "S3"]}},
    {"cmd": "sys.discardWhileDown", "session": "S1", "log": []},
    {"cmd": "launch", "log": ["app.willFinishLaunching", "app.didFinishLaunching(nil)",
       "app.didDiscardSceneSessions{S1, S2}", "app.didDiscardSceneSessions{S3}",
       "app.configurationForConnecting(S4, {})", "S4#1.init", "S4#1.willConnect({})",
       "S4#1.willEnterForeground", "S4#1.didBecomeActive"],
     "expect": {"openSessions": ["S4"], "storedSessions": ["S4"]}}
    """)

  private static let locked = vector(
    "what was locked at the launch is there after the unlock, and restored by the next scene",
    """
    {"activities": {"a": {}, "b": {}}, "sessions": [
      {"label": "S1", "state": "archived", "stateRestorationActivity": "b"},
      {"label": "S2", "state": "archived", "stateRestorationActivity": "a"}]}
    """,
    """
    {"cmd": "sys.lock", "log": []},
    {"cmd": "launch", "reason": "background",
     "log": ["app.willFinishLaunching", "app.didFinishLaunching(nil)"],
     "expect": {"sessions": {"S1": {"stateRestorationActivity": null}}}},
    {"cmd": "user.open", "session": "S2", "log": ["S2#2.init", "S2#2.willConnect({})",
       "S2#2.willEnterForeground", "S2#2.didBecomeActive"]},
    {"cmd": "sys.unlock", "log": [], "expect": {"sessions": {
       "S1": {"stateRestorationActivity": "b"}, "S2": {"stateRestorationActivity": "a"}}}},
    {"cmd": "user.open", "session": "S1", "log": ["S2#2.willResignActive", "S1#2.init",
       "S1#2.willConnect({})", "S1#2.restoreInteractionState(b)", "S1#2.willEnterForeground",
       "S1#2.didBecomeActive", "S2#2.didEnterBackground",
       "S2#2.stateRestorationActivity -> nil", "S2#2.snapshot"]}
    """)

  private static let staleConfigurations = vector(
    "a saved class that is still there is used; a role that does not fit disturbs no other session",
    """
    {"process": "running", "registeredClasses": ["OldDelegate"],
     "appDelegate": {"configurationForConnecting": [
       {"session": "S3", "return": {"name": null, "role": "windowExternalDisplay"}},
       {"return": {"name": "NoSuch"}}]},
     "sessions": [{"label": "S1", "state": "archived",
       "configuration": {"name": "Old", "delegateClass": "OldDelegate"}},
       {"label": "S2", "state": "active"}]}
    """,
    """
    {"cmd": "user.newWindow",
     "log": ["app.configurationForConnecting(S3, {})", "err(connect, roleMismatch)"],
     "expect": {"openSessions": ["S1", "S2"], "storedSessions": ["S1", "S2"],
       "scenes": {"S2#1": {"activationState": "foregroundActive"}}}},
    {"cmd": "user.newWindow", "log": ["app.configurationForConnecting(S4, {})",
       "log(configurationNotFound)", "S2#1.willResignActive", "S4#1.init",
       "S2#1.didEnterBackground", "S2#1.stateRestorationActivity -> nil", "S2#1.snapshot"],
     "expect": {"scenes": {"S4#1": {"activationState": "foregroundActive",
       "delegateClass": null}}}},
    {"cmd": "user.open", "session": "S1", "log": ["S1#2.init", "S1#2.willConnect({})",
       "S1#2.willEnterForeground", "S1#2.didBecomeActive", "S4#1.snapshot"],
     "expect": {"scenes": {"S1#2": {"delegateClass": "OldDelegate"}}}}
    """)
}
