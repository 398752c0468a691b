// SPDX-License-Identifier: Apache-2.0

extension VectorCommand {
  /// The names of the commands.
  enum Name: String, CaseIterable {
    case launch
    case home = "user.home"
    case open = "user.open"
    case newWindow = "user.newWindow"
    case close = "user.close"
    case interrupt = "user.interrupt"
    case resume = "user.resume"
    case background = "user.background"
    case disconnect = "sys.disconnect"
    case pressure = "sys.pressure"
    case kill = "sys.kill"
    case terminate = "sys.terminate"
    case discardWhileDown = "sys.discardWhileDown"
    case lock = "sys.lock"
    case unlock = "sys.unlock"
    case tick = "sys.tick"
    case advance = "clock.advance"
    case activate = "request.activate"
    case activateRole = "request.activateRole"
    case refresh = "request.refresh"
    case destroy = "request.destroy"
    case url = "event.url"
    case activity = "event.activity"
    case notification = "event.notification"
    case shortcut = "event.shortcut"
    case share = "event.share"
    case handoff = "event.handoff"
    case handoffPayload = "handoff.payload"
    case handoffFailure = "handoff.fail"
    case drop
    case backup = "store.backup"
    case restore = "store.restore"
    case setUserInfo = "session.setUserInfo"
    case setStateRestorationActivity = "session.setStateRestorationActivity"
    case setActivationConditions = "scene.setActivationConditions"
    case completeStateRestoration = "scene.completeStateRestoration"
    case mutateActivity = "activity.mutate"
    case mutateReturned = "configuration.mutateReturned"
    case evaluate = "predicate.evaluate"
    case parallel
  }

  /// The names of the commands that are events.
  enum EventName: String, CaseIterable {
    case url = "event.url"
    case activity = "event.activity"
    case notification = "event.notification"
    case shortcut = "event.shortcut"
    case share = "event.share"
    case handoff = "event.handoff"
  }
}

extension VectorCommand.Name {
  /// The arguments that the command knows.
  var arguments: [String] {
    switch self {
    case .launch: ["reason", "event"]
    case .home, .newWindow, .kill, .terminate, .lock, .unlock, .tick: []
    case .open: ["session", "hold"]
    case .close, .interrupt, .resume, .background, .disconnect, .discardWhileDown, .refresh,
      .completeStateRestoration:
      ["session"]
    case .pressure: ["count"]
    case .advance: ["seconds"]
    case .activate: ["session", "activity", "requestingScene"]
    case .activateRole: ["role", "activity", "requestingScene"]
    case .destroy: ["session", "animation"]
    case .url: ["url", "source"]
    case .activity: ["activity", "source"]
    case .notification: ["id", "targetContentIdentifier"]
    case .shortcut, .handoff: ["type", "targetContentIdentifier"]
    case .share: ["id"]
    case .handoffPayload: ["type", "activity"]
    case .handoffFailure: ["type"]
    case .drop: ["activity"]
    case .backup, .restore: ["name"]
    case .setUserInfo: ["session", "value"]
    case .setStateRestorationActivity: ["session", "activity"]
    case .setActivationConditions: ["session", "can", "prefers"]
    case .mutateActivity: ["activity", "userInfo"]
    case .mutateReturned: ["session", "delegateClass"]
    case .evaluate: ["format", "arguments", "subject"]
    case .parallel: ["commands"]
    }
  }
}
