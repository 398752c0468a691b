// SPDX-License-Identifier: Apache-2.0

/// The kinds of commands that random vectors are made of, with how often each is tried.
enum FuzzCommand: String, CaseIterable {
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
  case handoffFail = "handoff.fail"
  case drop
  case backup = "store.backup"
  case restore = "store.restore"
  case setUserInfo = "session.setUserInfo"
  case setActivity = "session.setStateRestorationActivity"
  case setConditions = "scene.setActivationConditions"
  case completeRestoration = "scene.completeStateRestoration"
  case mutateActivity = "activity.mutate"
  case mutateConfiguration = "configuration.mutateReturned"
  case evaluate = "predicate.evaluate"
  case parallel

  static let events: [FuzzCommand] = [.url, .activity, .notification, .shortcut, .share, .handoff]

  /// How often the kind is tried while the process runs, against the others.
  var weightWhileRunning: Int {
    switch self {
    case .launch, .discardWhileDown, .lock, .backup, .restore: 0
    case .open: 14
    case .unlock: 10
    case .refresh: 8
    case .home, .newWindow, .activate, .background: 6
    case .parallel: 12
    case .close, .interrupt, .disconnect, .url, .activity: 5
    case .tick, .resume, .activateRole, .notification, .shortcut, .share, .handoff, .drop: 4
    case .handoffPayload, .handoffFail, .completeRestoration, .pressure, .destroy: 3
    case .setUserInfo, .setActivity, .setConditions, .advance, .terminate: 3
    case .kill, .mutateActivity, .mutateConfiguration, .evaluate: 2
    }
  }

  /// How often the kind is tried while no process runs.
  var weightWhileDown: Int {
    switch self {
    case .launch: 20
    case .discardWhileDown: 6
    case .backup, .restore: 4
    case .lock, .unlock: 3
    case .mutateActivity: 1
    default: 0
    }
  }

  /// The kinds that may be submitted together with others.
  static let combinable: [FuzzCommand] = [
    .open, .activate, .refresh, .background, .interrupt, .resume, .destroy, .newWindow, .close,
    .setUserInfo, .drop,
  ]
}
