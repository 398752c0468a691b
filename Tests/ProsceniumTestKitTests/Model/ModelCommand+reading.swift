// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

extension ModelCommand {
  /// Reads a command; the keys of its step are the caller's business.
  init(_ node: JSONNode) throws(JSONFileError) {
    let name = try node.member("cmd").text()
    if name.hasPrefix("event.") {
      self = .event(try ModelEvent(node))
    } else if name.hasPrefix("user.") {
      self = try Self.user(node)
    } else if name.hasPrefix("sys.") {
      self = try Self.system(node)
    } else if name.hasPrefix("request.") {
      self = try Self.request(node)
    } else {
      self = try Self.other(node)
    }
  }

  private static func user(_ node: JSONNode) throws(JSONFileError) -> ModelCommand {
    switch try node.member("cmd").text() {
    case "user.home": .home
    case "user.newWindow": .newWindow
    case "user.open":
      .open(try session(node), hold: try node.optional("hold")?.bool() ?? false)
    case "user.close": .close(try session(node))
    case "user.interrupt": .interrupt(try session(node))
    case "user.resume": .resume(try session(node))
    case "user.background": .background(try session(node))
    default: throw unknown(node)
    }
  }

  private static func system(_ node: JSONNode) throws(JSONFileError) -> ModelCommand {
    switch try node.member("cmd").text() {
    case "sys.disconnect": .disconnect(try session(node))
    case "sys.pressure": .pressure(count: try node.member("count").integer(in: 0...1_000))
    case "sys.kill": .kill
    case "sys.terminate": .terminate
    case "sys.discardWhileDown": .discardWhileDown(try session(node))
    case "sys.lock": .lock
    case "sys.unlock": .unlock
    case "sys.tick": .tick
    default: throw unknown(node)
    }
  }

  private static func request(_ node: JSONNode) throws(JSONFileError) -> ModelCommand {
    let activity = try node.optional("activity")?.unlessNull?.text()
    switch try node.member("cmd").text() {
    case "request.activate":
      return .activate(
        try node.member("session").unlessNull.map(ModelLabel.init), activity: activity,
        requester: try requester(node))
    case "request.activateRole":
      return .activateRole(
        try node.optional("role")?.text() ?? "windowApplication", activity: activity,
        requester: try requester(node))
    case "request.refresh": return .refresh(try session(node))
    case "request.destroy":
      return .destroy(
        try session(node), reason: try node.optional("animation")?.text() ?? "standard")
    default: throw unknown(node)
    }
  }

  private static func other(_ node: JSONNode) throws(JSONFileError) -> ModelCommand {
    switch try node.member("cmd").text() {
    case "launch": return .launch(try launch(node))
    case "clock.advance": return .advance(seconds: try node.member("seconds").number())
    case "handoff.payload":
      return .handoffPayload(
        type: try node.member("type").text(), activity: try node.member("activity").text())
    case "handoff.fail": return .handoffFail(type: try node.member("type").text())
    case "drop": return .drop(activity: try node.member("activity").text())
    case "store.backup": return .backup(name: try node.member("name").text())
    case "store.restore": return .restore(name: try node.member("name").text())
    case "session.setUserInfo":
      return .setUserInfo(try session(node), try node.member("value").value)
    case "session.setStateRestorationActivity":
      return .setActivity(try session(node), try node.member("activity").unlessNull?.text())
    case "scene.setActivationConditions":
      return .setConditions(
        try session(node), can: try node.optional("can").map(ModelPredicate.init),
        prefers: try node.optional("prefers").map(ModelPredicate.init))
    case "scene.completeStateRestoration": return .completeRestoration(try session(node))
    case "activity.mutate":
      return .mutateActivity(
        try node.member("activity").text(), userInfo: try node.member("userInfo").value)
    case "configuration.mutateReturned": return .mutateConfiguration
    case "predicate.evaluate":
      let arguments = try ModelPredicate.arguments(node.optional("arguments"))
      return .evaluate(
        ModelPredicate(format: try node.member("format").text(), arguments),
        subject: try node.member("subject").text())
    case "parallel":
      var commands: [ModelCommand] = []
      for command in try node.member("commands").elements() {
        commands.append(try ModelCommand(command))
      }
      return .parallel(commands)
    default: throw unknown(node)
    }
  }

  private static func launch(_ node: JSONNode) throws(JSONFileError) -> Launch {
    if let event = try node.optional("event") { return .event(try ModelEvent(event)) }
    return try node.optional("reason")?.text() == "background" ? .background : .icon
  }

  private static func session(_ node: JSONNode) throws(JSONFileError) -> ModelLabel {
    try ModelLabel(node.member("session"))
  }

  /// The session of the requesting scene.
  private static func requester(_ node: JSONNode) throws(JSONFileError) -> ModelLabel? {
    guard let scene = try node.optional("requestingScene") else { return nil }
    let label = try scene.text().prefix { $0 != "#" }
    return try ModelLabel(JSONNode(.text(String(label)), path: scene.path, file: scene.file))
  }

  private static func unknown(_ node: JSONNode) -> JSONFileError {
    node.failure(.unknownValue, "a command of the format")
  }
}

extension ModelEvent {
  init(_ node: JSONNode) throws(JSONFileError) {
    let name = try node.member("cmd")
    switch try name.text() {
    case "event.url": payload = .url(try node.member("url").text())
    case "event.activity": payload = .activity(try node.member("activity").text())
    case "event.notification": payload = .notification(try node.member("id").text())
    case "event.shortcut": payload = .shortcut(type: try node.member("type").text())
    case "event.share": payload = .share(try node.member("id").text())
    case "event.handoff": payload = .handoff(type: try node.member("type").text())
    default: throw name.failure(.unknownValue, "an event of the format")
    }
    identifier = try node.optional("targetContentIdentifier")?.text()
    source = try node.optional("source").map(ModelLabel.init)
  }
}
