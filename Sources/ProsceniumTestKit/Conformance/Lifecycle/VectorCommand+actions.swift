// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Proscenium
import ProsceniumSimulation

// All commands: how each is read, and what it does.
extension VectorCommand {
  static let names =
    [
      "launch", "user.home", "user.open", "user.newWindow", "user.close", "user.interrupt",
      "user.resume", "user.background", "drop", "sys.disconnect", "sys.pressure", "sys.kill",
      "sys.terminate", "sys.discardWhileDown", "sys.lock", "sys.unlock", "sys.tick",
      "clock.advance", "request.activate", "request.activateRole", "request.refresh",
      "request.destroy", "handoff.payload", "handoff.fail", "store.backup", "store.restore",
      "session.setUserInfo", "session.setStateRestorationActivity",
      "scene.setActivationConditions", "scene.completeStateRestoration", "activity.mutate",
      "configuration.mutateReturned", "predicate.evaluate", "parallel",
    ] + VectorEvent.names

  static func action(
    _ name: String, _ arguments: CommandArguments
  ) throws(JSONFileError) -> Action? {
    if VectorEvent.names.contains(name) {
      let event = try VectorEvent(arguments)
      return { run in try run.submit(event.event(run), source: event.source) }
    }
    if let action = try ofUser(name, arguments) { return action }
    if let action = try ofSystem(name, arguments) { return action }
    if let action = try ofProgram(name, arguments) { return action }
    return try ofRunner(name, arguments)
  }

  /// What users do.
  private static func ofUser(
    _ name: String, _ arguments: CommandArguments
  ) throws(JSONFileError) -> Action? {
    switch name {
    case "user.home": return { run in try run.submit(.backgroundAll, "background") }
    case "user.open":
      let session = try arguments.session()
      let hold = try arguments.find("hold", as: Bool.self) ?? false
      return { run in try run.submit(.open(run.id(session), hold: hold), "activate") }
    case "user.newWindow": return { run in try run.submit(.newSession(), "activate") }
    case "user.close":
      let session = try arguments.session()
      return { run in try run.submit(.close(run.id(session)), "destroy") }
    case "user.interrupt":
      let session = try arguments.session()
      return { run in try run.submit(.interrupt(run.id(session)), "interrupt") }
    case "user.resume":
      let session = try arguments.session()
      return { run in try run.submit(.resume(run.id(session)), "activate") }
    case "user.background":
      let session = try arguments.session()
      return { run in try run.submit(.background(run.id(session)), "background") }
    case "drop":
      let activity = try arguments.activity()
      return { run in try run.submit(.drop(run.activity(activity)), "activate") }
    default: return nil
    }
  }

  /// What the system does.
  private static func ofSystem(
    _ name: String, _ arguments: CommandArguments
  ) throws(JSONFileError) -> Action? {
    switch name {
    case "launch": return try launch(arguments)
    case "sys.disconnect":
      let session = try arguments.session()
      return { run in try run.submit(.disconnect(run.id(session)), "disconnect") }
    case "sys.pressure":
      let count = try arguments.get("count", as: SuiteCount.self)
      return { run in try run.submit(.relievePressure(count: count.value), "disconnect") }
    case "sys.kill": return { run in try await run.kill() }
    case "sys.terminate":
      return { run in
        try run.running().terminate()
        run.isTerminating = true
      }
    case "sys.discardWhileDown":
      let session = try arguments.session()
      return { run in
        try run.checkNotRunning()
        run.store.discardWhileNotRunning(run.id(session))
      }
    case "sys.lock":
      return { run in
        run.isLocked = true
        run.process?.application.host.lock()
      }
    case "sys.unlock":
      return { run in
        run.isLocked = false
        run.process?.application.host.submitUnlock()
      }
    case "sys.tick": return { run in try run.submit(.fulfilRefreshes, "refresh") }
    case "clock.advance":
      let seconds = try arguments.get("seconds", as: VectorSeconds.self)
      return { run in
        run.clock.advance(by: seconds.duration)
        run.process?.application.submitTime()
      }
    default: return nil
    }
  }

  private enum LaunchReason: String, JSONWord {
    case icon, background
  }

  private static func launch(_ arguments: CommandArguments) throws(JSONFileError) -> Action {
    let reason = try arguments.find("reason", as: LaunchReason.self)
    let event = try arguments.find("event", as: VectorEvent.self)
    if reason != nil, event != nil {
      throw try arguments.node.member("reason").failure(
        .unknownKey, "either a reason or an event", found: "both")
    }
    return { run in
      try run.checkNotRunning()
      guard let event else { return run.launch(reason == .background ? .background : .icon) }
      run.launch(with: event.event(run), source: event.source)
    }
  }

  private enum Animation: String, JSONWord {
    case standard, commit, decline

    var animation: Scene.DestructionReason {
      switch self {
      case .standard: .standard
      case .commit: .commit
      case .decline: .decline
      }
    }
  }

  /// What the program asks for and sets.
  private static func ofProgram(
    _ name: String, _ arguments: CommandArguments
  ) throws(JSONFileError) -> Action? {
    switch name {
    case "request.activate":
      let session = try arguments.get("session", as: Nullable<SessionLabel>.self).value
      return try activation(session, .windowApplication, arguments)
    case "request.activateRole":
      let role = try arguments.find("role", as: VectorRole.self) ?? .windowApplication
      return try activation(nil, role, arguments)
    case "request.refresh":
      let session = try arguments.session()
      return { run in try run.submit(.refresh(run.id(session)), "refresh") }
    case "request.destroy":
      let session = try arguments.session()
      let animation = try arguments.find("animation", as: Animation.self) ?? .standard
      return { run in
        try run.submit(.destroy(run.id(session), animation.animation), "destroy")
      }
    case "session.setUserInfo":
      let session = try arguments.session()
      let value = try arguments.get("value", as: VectorValue.self).value
      return { run in
        try run.update(session, "userInfo") {
          let userInfo = try value.sessionUserInfo()
          return { $0.userInfo = userInfo }
        }
      }
    case "session.setStateRestorationActivity":
      let session = try arguments.session()
      let label = try arguments.get("activity", as: Nullable<ActivityLabel>.self).value
      return { run in
        let activity = label.map { run.activity($0) }
        try run.update(session, "session") { { $0.stateRestorationActivity = activity } }
      }
    case "scene.setActivationConditions":
      let session = try arguments.session()
      let change = ConditionsChange(
        can: try arguments.find("can"), prefers: try arguments.find("prefers"))
      return { run in
        try run.update(session, "predicate") {
          let apply = try change.parse()
          return { apply(&$0.activationConditions) }
        }
      }
    case "scene.completeStateRestoration":
      let session = try arguments.session()
      return { run in
        let application = try run.running().application
        await application.scene(for: run.id(session))?.completeStateRestoration()
      }
    default: return nil
    }
  }

  private static func activation(
    _ session: SessionLabel?, _ role: VectorRole, _ arguments: CommandArguments
  ) throws(JSONFileError) -> Action {
    let label = try arguments.find("activity", as: ActivityLabel.self)
    let requester = try arguments.find("requestingScene", as: SceneLabel.self)
    return { run in
      let activity = label.map { run.activity($0) }
      let options = Scene.ActivationRequestOptions(
        requestingScene: requester.map { run.id($0.session) })
      var request = SceneSessionActivationRequest(
        role: role.role, userActivity: activity, options: options)
      if let session {
        request = SceneSessionActivationRequest(
          session: run.id(session), userActivity: activity, options: options)
      }
      try run.submit(.activate(request), "activate")
    }
  }

  /// What happens elsewhere, and what only the runner does.
  private static func ofRunner(
    _ name: String, _ arguments: CommandArguments
  ) throws(JSONFileError) -> Action? {
    switch name {
    case "handoff.payload":
      let type = try arguments.text("type")
      let activity = try arguments.activity()
      return { run in
        try run.running().application.submit(
          .continueHandoff(type, run.activity(activity)), onFailure: run.failing("handoff"))
      }
    case "handoff.fail":
      let type = try arguments.text("type")
      return { run in
        try run.running().application.submit(
          .failHandoff(type, VectorDifference("the data did not come")),
          onFailure: run.failing("handoff"))
      }
    case "store.backup":
      let name = try arguments.text("name")
      return { run in
        try run.checkNotRunning()
        run.backups[name] = run.store.copy()
      }
    case "store.restore":
      let name = try arguments.text("name")
      return { run in try run.restore(name) }
    case "activity.mutate":
      let activity = try arguments.activity()
      let values = try arguments.get("userInfo", as: VectorValues.self).values
      return { run in run.activities.mutate("\(activity)", userInfo: values) }
    case "configuration.mutateReturned":
      let session = try arguments.session()
      let name = try arguments.get("delegateClass", as: Nullable<String>.self).value
      return { run in
        run.recorder.state.withLock { $0.returned[session]?.delegateClass = name }
      }
    case "predicate.evaluate":
      let predicate = PredicateText(
        try arguments.text("format"), arguments: try arguments.find("arguments") ?? [])
      let subject = try arguments.text("subject")
      return { run in try run.evaluate(predicate, subject) }
    case "parallel":
      let commands = try arguments.get("commands", as: [VectorCommand].self)
      return { run in for command in commands { try await command.action(&run) } }
    default: return nil
    }
  }
}
