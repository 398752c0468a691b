// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
@testable import ProsceniumTestKit

/// Draws the setup of a random vector: sessions, delegates and options.
struct FuzzSetup {
  static let activityLabels = ["a", "b", "c", "d", "e", "f"]
  static let userInfos: [JSONValue] = [
    [:], ["k": 1], ["zoom": .real(1.5), "list": [1, "a", true]],
    ["at": ["$date": "2026-01-02T03:04:05Z"], "bytes": ["$data": "AAEC/w=="]],
    ["deep": ["er": ["est": [[], [:]]]]],
  ]
  static let cans: [JSONValue] = [
    "TRUEPREDICATE", "FALSEPREDICATE", "SELF BEGINSWITH 'doc-'", "NOT SELF == 'app://x/1'",
  ]
  static let preferences: [JSONValue] = [
    "FALSEPREDICATE", "self == 'doc-1'", "SELF LIKE 'https://e.example/*'",
    "SELF IN {'doc-2', 'doc-3'}", "SELF CONTAINS[c] 'APP:'",
  ]
  /// What delegates and commands may use besides.
  static let preferencesWithArguments =
    preferences + [["format": "self == %@ OR SELF == 'bubu'", "arguments": ["doc-3"]]]
  private static let methods = [
    "willConnect", "restoreInteractionState", "willEnterForeground", "didBecomeActive",
    "willResignActive", "didEnterBackground", "didDisconnect", "stateRestorationActivity",
    "didUpdate", "openURLContexts", "continue", "willContinue", "didFailToContinue",
    "performAction", "userDidAcceptShare",
  ]

  private var random: FuzzGenerator
  private var members: [JSONMember] = []

  /// The setup that a generator leads to.
  static func draw(_ random: inout FuzzGenerator) -> JSONValue {
    var setup = FuzzSetup(random: random)
    setup.drawOptions()
    setup.drawSessions()
    setup.drawDelegates()
    random = setup.random
    return .object(setup.members)
  }

  private init(random: FuzzGenerator) { self.random = random }

  private mutating func add(_ key: String, _ value: JSONValue?) {
    if let value { members.append(JSONMember(key, value)) }
  }

  private func has(_ key: String, _ value: JSONValue) -> Bool {
    members.contains { $0.key == key && $0.value == value }
  }

  private func integer(_ key: String) -> Int? {
    guard case .integer(let number) = members.first(where: { $0.key == key })?.value else {
      return nil
    }
    return number
  }

  // MARK: - Options

  private mutating func drawOptions() {
    add("process", random.chance(60) ? "running" : "notRunning")
    add("manifest", drawManifest())
    add("registeredClasses", random.chance(30) ? ["OldDelegate"] : nil)
    add("supportsMultipleScenes", random.chance(12) ? false : nil)
    add("activityTypes", random.chance(20) ? ["t", "u"] : nil)
    add("activities", Self.activities)
    add("foregroundCapacity", .integer(random.number(in: 1...3)))
    add("lastSessionClose", random.chance(30) ? "uikitCompat" : nil)
    add("restorationLimit", random.chance(30) ? .integer(random.number(in: 3...20)) : nil)
    add("snapshotVariants", random.pick([nil, nil, [], ["light"], ["light", "dark mode"]]) ?? nil)
    add("snapshotDance", random.chance(35) ? "uikit" : nil)
    add("notes", random.pick([nil, nil, "none", "app", "all"]) ?? nil)
  }

  private mutating func drawManifest() -> JSONValue? {
    guard random.chance(70) else { return nil }
    var roles = [
      JSONMember(
        "windowApplication",
        [["name": "Default"], ["name": "Inspector", "delegateClass": "InspectorDelegate"]])
    ]
    if random.chance(60) {
      roles.append(JSONMember("windowExternalDisplay", [["name": "Screen"]]))
      roles.append(JSONMember("windowExternalDisplayNonInteractive", [["name": "Mirror"]]))
    }
    return .object(roles)
  }

  private static let activities: JSONValue = [
    "a": ["targetContentIdentifier": "doc-1", "userInfo": ["k": 1]],
    "b": ["webpageURL": "https://e.example/p"], "c": [:],
    "d": ["type": "u", "targetContentIdentifier": "doc-2"], "e": ["targetContentIdentifier": ""],
    "f": ["targetContentIdentifier": "doc-3", "webpageURL": "https://e.example/q"],
  ]

  // MARK: - Sessions

  private mutating func drawSessions() {
    let isAlone = has("supportsMultipleScenes", false)
    let count = isAlone ? random.number(in: 0...1) : random.number(in: 0...5)
    var places = has("process", "running") ? integer("foregroundCapacity") ?? 1 : 0
    var sessions: [JSONValue] = []
    for number in stride(from: 1, through: count, by: 1) {
      sessions.append(drawSession(number, isAlone: isAlone, &places))
    }
    add("sessions", sessions.isEmpty ? nil : .list(sessions))
    if random.chance(35) {
      add("sessionQuota", .integer(max(1, count) + random.number(in: 0...2)))
    }
  }

  private mutating func drawSession(
    _ number: Int, isAlone: Bool, _ places: inout Int
  ) -> JSONValue {
    var session = [JSONMember("label", .text("S\(number)"))]
    let state = drawState(&places)
    session.append(JSONMember("state", .text(state)))
    if random.chance(20) { session.append(JSONMember("instance", .integer(number + 1))) }
    let isInteractive = ["active", "inactive"].contains(state)
    if !isAlone, hasOtherRoles, random.chance(25) {
      let role =
        isInteractive || random.chance(50)
        ? "windowExternalDisplay" : "windowExternalDisplayNonInteractive"
      session.append(JSONMember("role", .text(role)))
    } else if random.chance(20) {
      session.append(JSONMember("configuration", drawSavedConfiguration(state)))
    }
    if random.chance(50) {
      session.append(
        JSONMember(
          "activationConditions",
          [
            "can": random.pick(Self.cans) ?? "TRUEPREDICATE",
            "prefers": random.pick(Self.preferences) ?? "FALSEPREDICATE",
          ]))
    }
    if random.chance(40) {
      session.append(JSONMember("stateRestorationActivity", random.pick(["a", "b", "c"]) ?? "a"))
    }
    if random.chance(40), let value = random.pick(Self.userInfos) {
      session.append(JSONMember("userInfo", value))
    }
    return .object(session)
  }

  private var hasOtherRoles: Bool {
    members.first { $0.key == "manifest" }?.value["windowExternalDisplay"] != nil
  }

  private mutating func drawState(_ places: inout Int) -> String {
    guard has("process", "running") else { return "archived" }
    guard places > 0, random.chance(50) else {
      return random.chance(50) ? "background" : "archived"
    }
    places -= 1
    return random.chance(75) ? "active" : "inactive"
  }

  /// What an earlier version of the program saved: its name, or only its class, is still there;
  /// or neither is, which a scene that is to be connected cannot have.
  private mutating func drawSavedConfiguration(_ state: String) -> JSONValue {
    let isRegistered = has("registeredClasses", ["OldDelegate"])
    if isRegistered, random.chance(40) { return ["name": "Old", "delegateClass": "OldDelegate"] }
    if state == "archived", random.chance(40) { return ["name": "Gone"] }
    return ["name": "Default", "delegateClass": "EarlierDelegate"]
  }

  // MARK: - Delegates

  private mutating func drawDelegates() {
    var delegate: [JSONMember] = []
    if random.chance(10) {
      delegate.append(JSONMember("configurationForConnecting", "absent"))
    } else if random.chance(40) {
      delegate.append(JSONMember("configurationForConnecting", drawRules()))
    }
    if random.chance(20) { delegate.append(JSONMember("legacyUIMethods", true)) }
    add("appDelegate", delegate.isEmpty ? nil : .object(delegate))
    var scripts: [JSONMember] = []
    for key in ["*", "class:InspectorDelegate", "S1", "S2", "S3", "S5", "S7", "S9", "S12", "S20"]
    where random.chance(35) {
      scripts.append(JSONMember(key, drawScript()))
    }
    add("sceneDelegate", scripts.isEmpty ? nil : .object(scripts))
  }

  private mutating func drawRules() -> JSONValue {
    let rules: [JSONValue] = [
      ["options": "act", "return": ["name": "Inspector"]],
      ["options": "none", "return": ["name": .null]],
      ["options": "share", "return": ["name": "Default"]],
      ["options": "handoff", "return": ["name": .null, "role": "windowExternalDisplay"]],
      ["options": "url", "return": ["name": "NoSuch"]],
      ["session": "S6", "return": ["name": .null, "role": "windowExternalDisplay"]],
      ["session": "S8", "return": ["name": "NoSuch"]],
      ["session": "S11", "options": "notif", "return": ["name": "Inspector"]],
    ]
    var drawn: [JSONValue] = []
    for rule in rules where random.chance(40) { drawn.append(rule) }
    return .list(drawn)
  }

  private mutating func drawScript() -> JSONValue {
    var script: [JSONMember] = []
    var absent: [JSONValue] = []
    if random.chance(30) {
      for method in Self.methods where random.chance(15) { absent.append(.text(method)) }
    }
    if !absent.isEmpty { script.append(JSONMember("absent", .list(absent))) }
    if random.chance(70) {
      let captured = random.pick(["a", "b", "c", "d", .null] as [JSONValue]) ?? .null
      script.append(JSONMember("stateRestorationActivity", captured))
    }
    var callbacks: [JSONMember] = []
    for method in Self.methods {
      let actions = drawActions(in: method)
      if !actions.isEmpty { callbacks.append(JSONMember(method, .list(actions))) }
    }
    let mayExtend = !has("notes", "app") && !has("notes", "all")
    if mayExtend, random.chance(35) { extendRestoration(&callbacks) }
    if !callbacks.isEmpty { script.append(JSONMember("on", .object(callbacks))) }
    return .object(script)
  }

  private mutating func drawActions(in method: String) -> [JSONValue] {
    var actions: [JSONValue] = []
    if random.chance(6), let value = random.pick(Self.userInfos) {
      actions.append(["do": "setUserInfo", "value": value])
    }
    if method != "didDisconnect", random.chance(6) {
      var action: [JSONMember] = [JSONMember("do", "setActivationConditions")]
      let part = random.number(in: 0...2)
      if part != 0, let can = random.pick(Self.cans) { action.append(JSONMember("can", can)) }
      if part != 1, let prefers = random.pick(Self.preferencesWithArguments) {
        action.append(JSONMember("prefers", prefers))
      }
      actions.append(.object(action))
    }
    return actions
  }

  private mutating func extendRestoration(_ callbacks: inout [JSONMember]) {
    let extends: JSONValue = ["do": "extendStateRestoration"]
    let completes: JSONValue = ["do": "completeStateRestoration"]
    let drawn = random.pick([
      (connecting: [extends], restoring: []), (connecting: [], restoring: [extends]),
      (connecting: [extends], restoring: [extends]),
      (connecting: [extends], restoring: [completes]),
      (connecting: [extends, completes, extends], restoring: []),
    ])
    guard let drawn else { return }
    for (method, actions) in [
      ("willConnect", drawn.connecting), ("restoreInteractionState", drawn.restoring),
    ] where !actions.isEmpty {
      var all = actions
      if let index = callbacks.firstIndex(where: { $0.key == method }) {
        if case .list(let others) = callbacks.remove(at: index).value { all = others + all }
      }
      callbacks.append(JSONMember(method, .list(all)))
    }
  }
}
