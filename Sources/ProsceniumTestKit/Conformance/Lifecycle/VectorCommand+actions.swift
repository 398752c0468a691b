// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Proscenium
import ProsceniumSimulation

// All commands by name: how each is read, and what it does.
extension VectorCommand {
  /// Reads a command's arguments.
  typealias Reader = @Sendable (CommandArguments) throws -> Action

  static let readers = [user, system, program, runner].reduce(into: events) { all, some in
    all.merge(some) { first, _ in first }
  }

  private static let events: [String: Reader] = VectorEvent.names.reduce(into: [:]) { all, name in
    all[name] = { arguments in
      let event = try VectorEvent(arguments)
      return { run in try run.submit(event.event(run), source: event.source) }
    }
  }

  /// Reads a command that is about a session and nothing else.
  private static func session(
    _ act: @escaping @Sendable (inout VectorRun, SessionIdentifier) async throws -> Void
  ) -> Reader {
    { arguments in
      let session = try arguments.session()
      return { run in
        let id = run.id(session)
        try await act(&run, id)
      }
    }
  }

  /// What users do.
  private static let user: [String: Reader] = [
    "user.home": { _ in { run in try run.submit(.backgroundAll, "background") } },
    "user.open": { arguments in
      let session = try arguments.session()
      let hold = try arguments.find("hold", as: Bool.self) ?? false
      return { run in try run.submit(.open(run.id(session), hold: hold), "activate") }
    },
    "user.newWindow": { _ in { run in try run.submit(.newSession(), "activate") } },
    "user.close": session { run, id in try run.submit(.close(id), "destroy") },
    "user.interrupt": session { run, id in try run.submit(.interrupt(id), "interrupt") },
    "user.resume": session { run, id in try run.submit(.resume(id), "activate") },
    "user.background": session { run, id in try run.submit(.background(id), "background") },
    "drop": { arguments in
      let activity = try arguments.activity()
      return { run in try run.submit(.drop(run.activity(activity)), "activate") }
    },
  ]

  /// What the system does.
  private static let system: [String: Reader] = [
    "launch": { arguments in try launch(arguments) },
    "sys.disconnect": session { run, id in try run.submit(.disconnect(id), "disconnect") },
    "sys.pressure": { arguments in
      let count = try arguments.get("count", as: SuiteCount.self)
      return { run in try run.submit(.relievePressure(count: count.value), "disconnect") }
    },
    "sys.kill": { _ in { run in try await run.kill() } },
    "sys.terminate": { _ in
      { run in
        try run.running().terminate()
        run.isTerminating = true
      }
    },
    "sys.discardWhileDown": session { run, id in
      try run.checkNotRunning()
      run.store.discardWhileNotRunning(id)
    },
    "sys.lock": { _ in
      { run in
        run.isLocked = true
        run.process?.application.host.lock()
      }
    },
    "sys.unlock": { _ in
      { run in
        run.isLocked = false
        run.process?.application.host.submitUnlock()
      }
    },
    "sys.tick": { _ in { run in try run.submit(.fulfilRefreshes, "refresh") } },
    "clock.advance": { arguments in
      let seconds = try arguments.get("seconds", as: VectorSeconds.self)
      return { run in
        run.clock.advance(by: seconds.duration)
        run.process?.application.process.submitTime()
      }
    },
  ]

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
      guard let event else {
        return await run.launch(reason == .background ? .background : .icon)
      }
      await run.launch(with: event.event(run), source: event.source)
    }
  }

  /// What the program asks for and sets.
  private static let program: [String: Reader] = [
    "request.activate": { arguments in
      let session = try arguments.get("session", as: Nullable<SessionLabel>.self).value
      return try activation(session, nil, arguments)
    },
    "request.activateRole": { arguments in
      let role = try arguments.find("role", as: SuiteRole.self) ?? .windowApplication
      return try activation(nil, role, arguments)
    },
    "request.refresh": { arguments in
      let session = try arguments.session()
      return { run in try await run.program.refresh(session, in: run) }
    },
    "request.destroy": { arguments in
      let session = try arguments.session()
      let animation = try arguments.find("animation", as: VectorAnimation.self) ?? .standard
      return { run in try await run.program.destroy(session, animation, in: run) }
    },
    "session.setUserInfo": { arguments in
      let session = try arguments.session()
      let value = try arguments.get("value", as: VectorValue.self).value
      return { run in try await run.program.setUserInfo(value, of: session, in: run) }
    },
    "session.setStateRestorationActivity": { arguments in
      let session = try arguments.session()
      let label = try arguments.get("activity", as: Nullable<ActivityLabel>.self).value
      return { run in try await run.program.setActivity(label, of: session, in: run) }
    },
    "scene.setActivationConditions": { arguments in
      let session = try arguments.session()
      let change = ConditionsChange(
        can: try arguments.find("can"), prefers: try arguments.find("prefers"))
      return { run in try await run.program.setConditions(change, of: session, in: run) }
    },
    "scene.completeStateRestoration": { arguments in
      let session = try arguments.session()
      return { run in try await run.program.completeRestoration(of: session, in: run) }
    },
  ]

  private static func activation(
    _ session: SessionLabel?, _ role: SuiteRole?, _ arguments: CommandArguments
  ) throws(JSONFileError) -> Action {
    let activation = VectorActivation(
      session: session, role: role, activity: try arguments.find("activity"),
      requester: try arguments.find("requestingScene"))
    return { run in try await run.program.activate(activation, in: run) }
  }

  /// What happens elsewhere, and what only the runner does.
  private static let runner: [String: Reader] = [
    "handoff.payload": { arguments in
      let type = try arguments.text("type")
      let activity = try arguments.activity()
      return { run in try run.submit(.continueHandoff(type, run.activity(activity)), "handoff") }
    },
    "handoff.fail": { arguments in
      let type = try arguments.text("type")
      return { run in
        let error = VectorDifference("the data did not come")
        try run.submit(.failHandoff(type, error), "handoff")
      }
    },
    "store.backup": { arguments in
      let name = try arguments.text("name")
      return { run in
        try run.checkNotRunning()
        run.backups[name] = run.store.copy()
      }
    },
    "store.restore": { arguments in
      let name = try arguments.text("name")
      return { run in try run.restore(name) }
    },
    "activity.mutate": { arguments in
      let activity = try arguments.activity()
      let values = try arguments.get("userInfo", as: VectorValues.self).values
      return { run in await run.program.mutate("\(activity)", userInfo: values) }
    },
    "configuration.mutateReturned": { arguments in
      let session = try arguments.session()
      let name = try arguments.get("delegateClass", as: Nullable<String>.self).value
      return { run in await run.program.mutateReturned(session, delegateClass: name) }
    },
    "predicate.evaluate": { arguments in
      let predicate = PredicateText(
        try arguments.text("format"), arguments: try arguments.find("arguments") ?? [])
      let subject = try arguments.text("subject")
      return { run in try await run.program.evaluate(predicate, subject) }
    },
    "parallel": { arguments in
      let commands = try arguments.get("commands", as: [VectorCommand].self)
      return { run in for command in commands { try await command.action(&run) } }
    },
  ]
}
