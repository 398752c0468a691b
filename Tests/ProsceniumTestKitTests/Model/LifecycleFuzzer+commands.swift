// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
@testable import ProsceniumTestKit

/// Draws one command of each kind.
extension LifecycleFuzzer {
  private static let sessionLimit = 9

  /// A command of the kind that is legal now; nil if there is none.
  mutating func draw(_ kind: FuzzCommand) -> JSONValue? {
    let isParked = { [model] in model.isParked($0) }
    switch kind {
    case .launch: return drawLaunch()
    case .home, .tick, .kill: return command(kind)
    case .open:
      let session = pick { _, _ in true }
      return command(kind, session, ("hold", random.chance(15) ? true : nil))
    case .newWindow:
      return model.sessions.count < Self.sessionLimit ? command(kind) : nil
    case .close: return command(kind, pick { _, _ in true })
    case .interrupt: return command(kind, pick { $1.state == .active && !isParked($0) })
    case .resume:
      return command(
        kind,
        pick {
          $1.state == .inactive && !isParked($0) && !ModelScene.staysInactive($1.row.role)
        })
    case .background: return command(kind, pick { $1.state.isForeground })
    case .disconnect:
      let isBackground = random.chance(80)
      return command(kind, pick { isBackground ? $1.state == .background : $1.scene != nil })
    case .pressure: return command(kind, ("count", .integer(random.number(in: 1...4))))
    case .terminate: return model.foreground.isEmpty ? command(kind) : nil
    case .discardWhileDown:
      return command(kind, random.pick(model.store.keys.sorted()).map(Self.session))
    case .lock: return model.isLocked ? nil : command(kind)
    case .unlock: return model.isLocked ? command(kind) : nil
    case .advance: return command(kind, ("seconds", .integer(random.number(in: 1...8))))
    case .activate, .activateRole, .refresh, .destroy, .drop: return drawRequest(kind)
    case .url, .activity, .notification, .shortcut, .share, .handoff:
      return drawEvent(kind, isInApp: model.isRunning)
    case .handoffPayload, .handoffFail: return drawHandoffEnd(kind)
    case .backup, .restore: return drawStore(kind)
    case .setUserInfo, .setActivity, .setConditions, .completeRestoration:
      return drawChange(kind)
    case .mutateActivity:
      return command(kind, drawActivity(), ("userInfo", random.pick(FuzzSetup.userInfos)))
    case .mutateConfiguration:
      let session = random.pick(model.configured.sorted()).map(Self.session)
      let name = random.pick(["Default", "InspectorDelegate", nil] as [String?]) ?? nil
      return command(kind, session, ("delegateClass", name.map { .text($0) } ?? .null))
    case .evaluate: return drawEvaluation()
    case .parallel: return drawParallel()
    }
  }

  // MARK: - Parts

  /// A command with arguments; nil if one that is given as a whole is missing.
  private func command(
    _ kind: FuzzCommand, _ arguments: (String, JSONValue?)?...
  ) -> JSONValue? {
    var members = [JSONMember("cmd", .text(kind.rawValue))]
    for argument in arguments {
      guard let argument else { return nil }
      if let value = argument.1 { members.append(JSONMember(argument.0, value)) }
    }
    return .object(members)
  }

  private static func session(_ label: ModelLabel) -> (String, JSONValue?) {
    ("session", .text("\(label)"))
  }

  /// One of the open sessions that fit.
  private mutating func pick(
    where fits: (ModelLabel, ModelSession) -> Bool
  ) -> (String, JSONValue?)? {
    let fitting = model.sessions.filter { fits($0.key, $0.value) }.keys.sorted()
    return random.pick(fitting).map(Self.session)
  }

  /// An open session, or now and then one that is gone.
  private mutating func pickOpenOrGone() -> (String, JSONValue?)? {
    if random.chance(10), let gone = random.pick(model.discarded.sorted()) {
      return Self.session(gone)
    }
    return pick { _, _ in true }
  }

  private mutating func drawActivity() -> (String, JSONValue?) {
    ("activity", .text(random.pick(FuzzSetup.activityLabels) ?? "a"))
  }

  private mutating func drawIdentifier() -> (String, JSONValue?) {
    let identifiers: [JSONValue?] = [nil, "doc-1", "doc-2", "doc-3", "bubu", "app://x/1", ""]
    return ("targetContentIdentifier", random.pick(identifiers) ?? nil)
  }

  // MARK: - Commands

  private mutating func drawLaunch() -> JSONValue? {
    switch random.number(in: 0...9) {
    case 0...4:
      return command(.launch, ("reason", random.chance(50) ? "icon" : nil))
    case 5...6: return command(.launch, ("reason", "background"))
    default:
      guard let kind = random.pick(FuzzCommand.events), let event = drawEvent(kind, isInApp: false)
      else { return nil }
      return command(.launch, ("event", event))
    }
  }

  private mutating func drawRequest(_ kind: FuzzCommand) -> JSONValue? {
    let activity = random.chance(75) ? drawActivity() : ("activity", nil)
    var requester: (String, JSONValue?) = ("requestingScene", nil)
    if random.chance(40), let label = random.pick(model.labels { $0.scene != nil }) {
      let number = model.sessions[label]?.scene?.number ?? 0
      requester.1 = .text("\(label)#\(number)")
    }
    switch kind {
    case .activate:
      let session = random.chance(30) ? ("session", .null) : pickOpenOrGone()
      if session?.1 == .null, model.sessions.count >= Self.sessionLimit { return nil }
      return command(kind, session, activity, requester)
    case .activateRole:
      let roles = model.setup.manifest?.keys.sorted() ?? []
      let role: JSONValue? = random.chance(60) ? nil : random.pick(roles).map { .text($0) }
      if model.sessions.count >= Self.sessionLimit { return nil }
      return command(kind, ("role", role), activity, requester)
    case .refresh: return command(kind, pickOpenOrGone())
    case .destroy:
      let reasons: [JSONValue?] = [nil, "standard", "commit", "decline"]
      return command(kind, pickOpenOrGone(), ("animation", random.pick(reasons) ?? nil))
    default:
      return model.sessions.count < Self.sessionLimit ? command(kind, drawActivity()) : nil
    }
  }

  private mutating func drawEvent(_ kind: FuzzCommand, isInApp: Bool) -> JSONValue? {
    var source: (String, JSONValue?) = ("source", nil)
    if isInApp, random.chance(30), let session = pick(where: { $1.scene != nil }) {
      source.1 = session.1
    }
    switch kind {
    case .url:
      let urls = ["app://x/1", "app://x/(1),b", "https://e.example/p", "doc-2"]
      return command(kind, ("url", random.pick(urls).map { .text($0) }), source)
    case .activity: return command(kind, drawActivity(), source)
    case .notification:
      let id = random.pick(["n1", "n 2", "nil"]).map { JSONValue.text($0) }
      return command(kind, ("id", id), drawIdentifier())
    case .shortcut:
      let type = random.pick(["search", "say \"hi\""]).map { JSONValue.text($0) }
      return command(kind, ("type", type), drawIdentifier())
    case .share: return command(kind, ("id", random.pick(["m1", "m 1"]).map { .text($0) }))
    default:
      // A type means one announcement only.
      let number = steps.count + 1
      let type = number.isMultiple(of: 2) ? "edit \(number)" : "read\(number)"
      return command(kind, ("type", .text(type)), drawIdentifier())
    }
  }

  private mutating func drawHandoffEnd(_ kind: FuzzCommand) -> JSONValue? {
    guard let type = random.pick(model.announcements.keys.sorted()) else { return nil }
    let activity = kind == .handoffPayload ? drawActivity() : ("activity", nil)
    return command(kind, ("type", .text(type)), activity)
  }

  /// Copies of the store are only used where no delegate is told of a discard a second time.
  private mutating func drawStore(_ kind: FuzzCommand) -> JSONValue? {
    guard model.pendingDiscards.isEmpty else { return nil }
    if kind == .backup { return command(kind, ("name", random.chance(50) ? "x" : "y")) }
    let usable = model.backups.filter { $0.value.keys.allSatisfy { !model.discarded.contains($0) } }
    guard let name = random.pick(usable.keys.sorted()) else { return nil }
    return command(kind, ("name", .text(name)))
  }

  private mutating func drawChange(_ kind: FuzzCommand) -> JSONValue? {
    let isParked = { [model] in model.isParked($0) }
    switch kind {
    case .setUserInfo:
      let illegal: [JSONValue] = [
        ["k": .null], ["k": ["$url": "http://a"]], ["k": [["$set": [1]]]],
      ]
      let value = random.chance(25) ? random.pick(illegal) : random.pick(FuzzSetup.userInfos)
      return command(kind, pick { label, _ in !isParked(label) }, ("value", value))
    case .setActivity:
      let activity: JSONValue = random.chance(30) ? .null : drawActivity().1 ?? .null
      return command(kind, pick { label, _ in !isParked(label) }, ("activity", activity))
    case .setConditions:
      let illegal: [JSONValue] = [
        "SELF MATCHES '.*'", ["block": true], "SELF.length > 3", "SELF BEGINWITH 'a'", "$V == 'a'",
      ]
      var can = random.chance(60) ? random.pick(FuzzSetup.cans) : nil
      let preferences = FuzzSetup.preferencesWithArguments
      var prefers = can == nil || random.chance(60) ? random.pick(preferences) : nil
      if random.chance(20) {
        if can == nil { prefers = random.pick(illegal) } else { can = random.pick(illegal) }
      }
      return command(
        kind, pick { $1.scene != nil && !isParked($0) }, ("can", can), ("prefers", prefers))
    default: return command(kind, pick { ($1.scene?.extensions ?? 0) > 0 })
    }
  }

  private mutating func drawEvaluation() -> JSONValue? {
    let formats = FuzzSetup.cans + ["self == %@", "CAST(SELF, 'NSNumber') > 1"]
    guard let format = random.pick(formats) else { return nil }
    let arguments: JSONValue? = format == "self == %@" ? ["doc-1"] : nil
    let subject = random.pick(["doc-1", "app://x/1", ""]).map { JSONValue.text($0) }
    return command(
      .evaluate, ("format", format), ("arguments", arguments), ("subject", subject))
  }

  /// Commands that are each legal after those before.
  private mutating func drawParallel() -> JSONValue? {
    let now = model
    defer { model = now }
    let shared = random.chance(40) ? pick { $1.state < .inactive } : nil
    var commands: [JSONValue] = []
    for _ in 1...random.number(in: 2...3) {
      guard let command = drawPart(of: shared), let parsed = try? ModelCommand(Self.node(command))
      else { return nil }
      commands.append(command)
      _ = model.perform(parsed)
      guard model.doubts.isEmpty else { return nil }
    }
    return command(.parallel, ("commands", .list(commands)))
  }

  /// One of several commands, about the session that they share if there is one.
  private mutating func drawPart(of shared: (String, JSONValue?)?) -> JSONValue? {
    if let shared {
      return random.chance(30)
        ? command(.open, shared) : command(.activate, shared, drawActivity())
    }
    return random.pick(FuzzCommand.combinable).flatMap { draw($0) }
  }
}
