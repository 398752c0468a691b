// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

extension VectorCommand {
  private enum LaunchReason: String, CaseIterable {
    case icon, background
  }

  private enum Animation: String, CaseIterable {
    case standard, commit, decline

    var animation: Scene.DestructionReason {
      switch self {
      case .standard: .standard
      case .commit: .commit
      case .decline: .decline
      }
    }
  }

  /// Reads a command.
  ///
  /// - Parameters:
  ///   - node: The object with the key `cmd`.
  ///   - activities: The activities of the setup.
  ///   - otherKeys: Further keys that the object may have.
  /// - Throws: `JSONFileError` if the command is unknown or does not fit.
  init(
    _ node: JSONNode, activities: ActivityLabels, otherKeys: [String] = []
  ) throws(JSONFileError) {
    let name = try node.member("cmd").word(Name.self)
    try node.checkKeys(["cmd"] + name.arguments + otherKeys)
    let arguments = CommandArguments(node: node, activities: activities)
    if let event = EventName(rawValue: name.rawValue) {
      self = .event(try VectorEvent(event, arguments))
    } else if let command = try Self.ofHost(name, arguments) {
      self = command
    } else if let command = try Self.ofProgram(name, arguments) {
      self = command
    } else if let command = try Self.ofRunner(name, arguments) {
      self = command
    } else {
      preconditionFailure("nothing reads \(name)")
    }
  }

  /// What users and the system do.
  private static func ofHost(
    _ name: Name, _ arguments: CommandArguments
  ) throws(JSONFileError) -> VectorCommand? {
    switch name {
    case .launch: .launch(try launch(arguments))
    case .home: .home
    case .open:
      .open(
        try arguments.session(), hold: try arguments.node.optional("hold")?.bool() ?? false)
    case .newWindow: .newWindow
    case .close: .close(try arguments.session())
    case .interrupt: .interrupt(try arguments.session())
    case .resume: .resume(try arguments.session())
    case .background: .background(try arguments.session())
    case .drop: .drop(activity: try arguments.activity())
    case .disconnect: .disconnect(try arguments.session())
    case .pressure:
      .pressure(count: try arguments.node.member("count").integer(in: 0...1_000_000))
    case .kill: .kill
    case .terminate: .terminate
    case .discardWhileDown: .discardWhileDown(try arguments.session())
    case .lock: .lock
    case .unlock: .unlock
    case .tick: .tick
    default: nil
    }
  }

  private static func launch(_ arguments: CommandArguments) throws(JSONFileError) -> Launch {
    let reason = try arguments.node.optional("reason")
    guard let event = try arguments.node.optional("event") else {
      return try reason?.word(LaunchReason.self) == .background ? .background : .icon
    }
    if let reason {
      throw reason.failure(.unknownKey, "either a reason or an event", found: "both")
    }
    let name = try event.member("cmd")
    let eventName = try name.word(EventName.self)
    try event.checkKeys(["cmd"] + (try name.word(Name.self).arguments))
    return .event(
      try VectorEvent(
        eventName, CommandArguments(node: event, activities: arguments.activities)))
  }

  /// What the program asks for and sets.
  private static func ofProgram(
    _ name: Name, _ arguments: CommandArguments
  ) throws(JSONFileError) -> VectorCommand? {
    let node = arguments.node
    switch name {
    case .activate:
      return .activate(
        try node.member("session").unlessNull.map(SessionLabel.init), .windowApplication,
        activity: try arguments.activityIfAny(), requester: try arguments.requester())
    case .activateRole:
      return .activate(
        nil, try node.optional("role")?.word(VectorRole.self) ?? .windowApplication,
        activity: try arguments.activityIfAny(), requester: try arguments.requester())
    case .refresh: return .refresh(try arguments.session())
    case .destroy:
      let animation = try node.optional("animation")?.word(Animation.self) ?? .standard
      return .destroy(try arguments.session(), animation.animation)
    case .setUserInfo:
      return .setUserInfo(try arguments.session(), try node.member("value").userInfoValue())
    case .setStateRestorationActivity:
      return .setStateRestorationActivity(
        try arguments.session(),
        activity: try arguments.activities.labelIfAny(node.member("activity")))
    case .setActivationConditions:
      return .setActivationConditions(try arguments.session(), try ConditionsChange(node))
    case .completeStateRestoration: return .completeStateRestoration(try arguments.session())
    default: return nil
    }
  }

  /// What happens elsewhere, and what only the runner does.
  private static func ofRunner(
    _ name: Name, _ arguments: CommandArguments
  ) throws(JSONFileError) -> VectorCommand? {
    let node = arguments.node
    switch name {
    case .handoffPayload:
      return .handoffPayload(type: try arguments.text("type"), activity: try arguments.activity())
    case .handoffFailure: return .handoffFailure(type: try arguments.text("type"))
    case .advance:
      return .advance(.seconds(try node.member("seconds").number(in: 0...1_000_000_000)))
    case .backup: return .backup(try arguments.text("name"))
    case .restore: return .restore(try arguments.text("name"))
    case .mutateActivity:
      return .mutateActivity(
        try arguments.activity(), userInfo: try node.member("userInfo").userInfoDictionary())
    case .mutateReturned:
      return .mutateReturned(
        try arguments.session(), delegateClass: try node.member("delegateClass").unlessNull?.text())
    case .evaluate:
      return .evaluate(
        try PredicateText.formatWithArguments(node), subject: try arguments.text("subject"))
    case .parallel:
      var commands: [VectorCommand] = []
      for command in try node.member("commands").elements() {
        commands.append(try VectorCommand(command, activities: arguments.activities))
      }
      return .parallel(commands)
    default: return nil
    }
  }
}
