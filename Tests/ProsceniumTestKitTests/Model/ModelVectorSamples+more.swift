// SPDX-License-Identifier: Apache-2.0

extension ModelVectorSamples {
  static let together = vector(
    "commands at once keep their order for each session alone",
    """
    {"process": "running", "foregroundCapacity": 3, "activities": {"a": {}, "b": {}},
     "sessions": [{"label": "S1", "state": "active"}, {"label": "S2", "state": "background"},
       {"label": "S3", "state": "background"}]}
    """,
    """
    {"cmd": "parallel", "commands": [
       {"cmd": "request.activate", "session": "S2", "activity": "a"},
       {"cmd": "user.interrupt", "session": "S1"}, {"cmd": "request.refresh", "session": "S3"},
       {"cmd": "request.activate", "session": "S2", "activity": "b"}],
     "log": [{"unordered": [["S1#1.willResignActive"], ["S2#1.willEnterForeground",
       "S2#1.continue(a)", "S2#1.didBecomeActive", "S2#1.continue(b)"]]}],
     "expect": {"sessions": {"S3": {"pendingRefresh": true}}}}
    """)

  static let copiedStore = vector(
    "what came after the copy of the store is gone with it",
    """
    {"sessions": [{"label": "S1", "state": "archived", "userInfo": {"v": 1}}]}
    """,
    """
    {"cmd": "store.backup", "name": "x", "log": []},
    {"cmd": "launch", "reason": "background",
     "log": ["app.willFinishLaunching", "app.didFinishLaunching(nil)"]},
    {"cmd": "user.newWindow", "log": ["app.configurationForConnecting(S2, {})", "S2#1.init",
       "S2#1.willConnect({})", "S2#1.willEnterForeground", "S2#1.didBecomeActive"]},
    {"cmd": "session.setUserInfo", "session": "S1", "value": {"v": 2}, "log": []},
    {"cmd": "sys.kill", "log": [], "expect": {"storedSessions": ["S1", "S2"]}},
    {"cmd": "store.restore", "name": "x", "log": [], "expect": {"storedSessions": ["S1"]}},
    {"cmd": "launch", "log": ["app.willFinishLaunching", "app.didFinishLaunching(nil)",
       "S1#2.init", "S1#2.willConnect({})", "S1#2.willEnterForeground", "S1#2.didBecomeActive"],
     "expect": {"openSessions": ["S1"], "sessions": {"S1": {"userInfo": {"v": 1}}}}},
    {"cmd": "user.newWindow", "log": ["app.configurationForConnecting(S3, {})",
       "S1#2.willResignActive", "S3#1.init", "S3#1.willConnect({})", "S3#1.willEnterForeground",
       "S3#1.didBecomeActive", "S1#2.didEnterBackground",
       "S1#2.stateRestorationActivity -> nil", "S1#2.snapshot"]}
    """)

  static let lastWindow = vector(
    "the last window that is closed ends the process and keeps its session",
    """
    {"process": "running", "lastSessionClose": "uikitCompat",
     "sessions": [{"label": "S1", "state": "active"}, {"label": "S2", "state": "archived"}]}
    """,
    """
    {"cmd": "user.close", "session": "S2", "log": ["app.didDiscardSceneSessions{S2}"]},
    {"cmd": "user.close", "session": "S1",
     "log": ["S1#1.willResignActive", "S1#1.didDisconnect", "process.exit"],
     "expect": {"process": "notRunning", "storedSessions": ["S1"], "released": ["S1#1"]}}
    """)

  static let gone = vector(
    "requests about a session that is gone are denied, and a drop over the quota too",
    """
    {"process": "running", "sessionQuota": 2, "activities": {"a": {}},
     "sessions": [{"label": "S1", "state": "active"}, {"label": "S2", "state": "background"}]}
    """,
    """
    {"cmd": "drop", "activity": "a", "log": ["err(activate, requestDenied)"]},
    {"cmd": "request.destroy", "session": "S1", "animation": "decline",
     "log": ["S1#1.willResignActive", "S1#1.didDisconnect", "app.didDiscardSceneSessions{S1}"],
     "expect": {"applicationState": "background", "discardReasons": {"S1": "decline"}}},
    {"cmd": "request.destroy", "session": "S1", "log": ["err(destroy, requestDenied)"]},
    {"cmd": "request.refresh", "session": "S1", "log": []},
    {"cmd": "sys.tick", "log": []},
    {"cmd": "request.activate", "session": "S1", "log": ["err(activate, requestDenied)"]},
    {"cmd": "drop", "activity": "a", "log": ["app.configurationForConnecting(S3, {act:[a]})",
       "S3#1.init", "S3#1.willConnect({act:[a]})", "S3#1.willEnterForeground",
       "S3#1.didBecomeActive"]}
    """)

  static let inactiveEvent = vector(
    "an interrupted scene gets its event and goes on; another has to leave for a third",
    """
    {"process": "running", "foregroundCapacity": 2, "sessions": [
       {"label": "S1", "state": "inactive", "activationConditions": {"prefers": "SELF == 'x'"}},
       {"label": "S2", "state": "active"}, {"label": "S3", "state": "background"}]}
    """,
    """
    {"cmd": "event.shortcut", "type": "go", "targetContentIdentifier": "x",
     "log": ["S1#1.performAction(go)", "S1#1.didBecomeActive"],
     "expect": {"lastRoute": {"rule": "prefers", "candidates": ["S1"], "chosen": "S1"}}},
    {"cmd": "user.interrupt", "session": "S2", "log": ["S2#1.willResignActive"]},
    {"cmd": "user.open", "session": "S3", "log": ["S3#1.willEnterForeground",
       "S3#1.didBecomeActive", "S2#1.didEnterBackground",
       "S2#1.stateRestorationActivity -> nil", "S2#1.snapshot"]},
    {"cmd": "sys.disconnect", "session": "S1", "log": ["err(disconnect, notInBackground)"]},
    {"cmd": "sys.pressure", "count": 3, "log": ["S2#1.didDisconnect"]}
    """)

  static let mutedDelegate = vector(
    "what a delegate does not implement is not logged and changes nothing else",
    """
    {"process": "running", "activities": {"a": {}}, "snapshotVariants": ["a b", "c"],
     "sessions": [{"label": "S1", "state": "active", "stateRestorationActivity": "a"}],
     "sceneDelegate": {"*": {"absent": ["willResignActive", "stateRestorationActivity",
       "didEnterBackground", "performAction"], "stateRestorationActivity": "a"}}}
    """,
    """
    {"cmd": "user.home", "log": ["S1#1.snapshot(\\"a b\\")", "S1#1.snapshot(c)"],
     "expect": {"scenes": {"S1#1": {"activationState": "background", "rawActivationState": 2}},
       "stored": {"S1": {"stateRestorationActivity": "a"}}}},
    {"cmd": "event.shortcut", "type": "", "log": ["S1#1.willEnterForeground",
       "log(unhandledEvent)", "S1#1.didBecomeActive"]}
    """)
}
