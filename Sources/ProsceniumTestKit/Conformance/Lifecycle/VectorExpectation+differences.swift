// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension VectorExpectation {
  /// Says what does not hold, each with its path in the file.
  func differences(in view: VectorView) -> [String] {
    var found = Differences(path: "expect")
    compareSets(view, &found)
    for (label, fields) in sessions {
      found.inside("sessions.\(label)") { fields.compare(session: label, view, &$0) }
    }
    for (label, fields) in stored {
      found.inside("stored.\(label)") { fields.compare(stored: label, view, &$0) }
    }
    for (label, fields) in scenes {
      found.inside("scenes.\(label)") { fields.compare(label, view, &$0) }
    }
    for label in released where !view.isReleased(label) {
      found.add("released", "\(label) to be gone", "a scene or a delegate that is still alive")
    }
    compareFailures(view, &found)
    for (label, reason) in discardReasons {
      let actual = view.recorder.state.withLock { $0.discardReasons[label] }
      found.compare("discardReasons.\(label)", reason.rawValue, Self.text(actual))
    }
    compareRoute(view, &found)
    for (left, right) in disjoint {
      let common = view.set(left).intersection(view.set(right))
      if !common.isEmpty {
        found.add(
          "disjoint", "nothing both in \(left.rawValue) and in \(right.rawValue)",
          VectorView.text(common))
      }
    }
    return found.all
  }

  private func compareSets(_ view: VectorView, _ found: inout Differences) {
    if let process {
      found.compare(
        "process", process.rawValue, view.application == nil ? "notRunning" : "running")
    }
    if let applicationState {
      found.compare(
        "applicationState", applicationState.rawValue,
        "\(view.application?.applicationState ?? .background)")
    }
    if let openSessions {
      found.compare(
        "openSessions", VectorView.text(openSessions), VectorView.text(view.openSessions))
    }
    if let storedSessions {
      found.compare(
        "storedSessions", VectorView.text(storedSessions), VectorView.text(view.storedSessions))
    }
    if let connectedScenes {
      found.compare(
        "connectedScenes", VectorView.text(connectedScenes), VectorView.text(view.connectedScenes))
    }
  }

  private func compareFailures(_ view: VectorView, _ found: inout Differences) {
    guard let failures else { return }
    let actual = view.recorder.state.withLock { $0.failures }
    guard failures.count == actual.count else {
      let list = actual.map { "\($0.op) \($0.code)" }.joined(separator: ", ")
      found.add(
        "errors.count", "\(failures.count)", "\(actual.count)" + (list.isEmpty ? "" : ": \(list)"))
      return
    }
    for (index, (expected, actual)) in zip(failures, actual).enumerated() {
      let path = "errors[\(index)]"
      if let op = expected.op { found.compare("\(path).op", op, actual.op) }
      if let code = expected.code { found.compare("\(path).code", code, actual.code) }
      if let number = expected.number {
        found.compare("\(path).number", Self.text(number), Self.text(actual.number))
      }
    }
  }

  private func compareRoute(_ view: VectorView, _ found: inout Differences) {
    guard let lastRoute else { return }
    guard let actual = view.recorder.state.withLock({ $0.lastRoute }) else {
      found.add("lastRoute", "a decision", "none")
      return
    }
    if let rule = lastRoute.rule {
      found.compare("lastRoute.rule", rule.rawValue, actual.decision.rule.rawValue)
    }
    if let candidates = lastRoute.candidates {
      found.compare(
        "lastRoute.candidates", VectorView.text(candidates), VectorView.text(actual.candidates))
    }
    if let chosen = lastRoute.chosen {
      found.compare("lastRoute.chosen", Self.text(chosen), Self.text(actual.chosen))
    }
  }

  fileprivate static func text(_ value: (some CustomStringConvertible)?) -> String {
    value?.description ?? "null"
  }

  private static func text(_ reason: LifecycleEvent.Reason?) -> String {
    switch reason {
    case nil: "none"
    case .dismissed(let animation): "\(animation)"
    case .some(let reason): "\(reason)"
    }
  }
}

extension SessionFields {
  fileprivate func compare(
    session label: SessionLabel, _ view: VectorView, _ found: inout Differences
  ) {
    guard let session = view.session(label) else {
      found.add("a session", "none")
      return
    }
    if let scene {
      found.compare("scene", VectorExpectation.text(scene), VectorExpectation.text(view.scene(of: label)))
    }
    if let hasPendingRefresh {
      found.compare("pendingRefresh", "\(hasPendingRefresh)", "\(view.hasPendingRefresh(label))")
    }
    compare(
      Held(
        role: session.role, name: session.configuration.name,
        delegateClass: session.configuration.delegateClass,
        sceneClass: session.configuration.sceneClass, activity: session.stateRestorationActivity,
        userInfo: session.userInfo, conditions: session.activationConditions), &found)
  }

  fileprivate func compare(
    stored label: SessionLabel, _ view: VectorView, _ found: inout Differences
  ) {
    guard let row = view.storedSession(label) else {
      found.add("a row", "none")
      return
    }
    compare(
      Held(
        role: row.role, name: row.configurationName, delegateClass: row.delegateClass,
        sceneClass: row.sceneClass, activity: row.stateRestorationActivity,
        userInfo: row.userInfo, conditions: row.activationConditions), &found)
  }

  /// What a session and its row have in common.
  private struct Held {
    let role: SceneSession.Role
    let name: String?
    let delegateClass: String?
    let sceneClass: String?
    let activity: UserActivity?
    let userInfo: [String: PropertyListValue]?
    let conditions: SceneActivationConditions
  }

  private func compare(_ held: Held, _ found: inout Differences) {
    if let role { found.compare("role", role.rawValue, held.role.rawValue) }
    for (name, expected, actual) in [
      ("name", configuration?.name, held.name),
      ("delegateClass", configuration?.delegateClass, held.delegateClass),
      ("sceneClass", configuration?.sceneClass, held.sceneClass),
    ] {
      guard let expected else { continue }
      found.compare(
        "configuration.\(name)", VectorExpectation.text(expected), VectorExpectation.text(actual))
    }
    compareActivity(held.activity, &found)
    if let userInfo {
      let actual = held.userInfo.map { UserActivity.Value(.dictionary($0)) }
      if userInfo != actual {
        found.add(
          "userInfo", VectorExpectation.text(userInfo?.json), VectorExpectation.text(actual?.json))
      }
    }
    if let can { found.compare("activationConditions.can", can, "\(held.conditions.can)") }
    if let prefers {
      found.compare("activationConditions.prefers", prefers, "\(held.conditions.prefers)")
    }
  }

  private func compareActivity(_ actual: UserActivity?, _ found: inout Differences) {
    switch stateRestorationActivity {
    case nil: return
    case .nothing:
      if actual != nil { found.add("stateRestorationActivity", "null", LogText.label(actual)) }
    case .activity(let label, let userInfo):
      guard let actual else {
        found.add("stateRestorationActivity", label ?? "an activity", "null")
        return
      }
      if let label {
        found.compare("stateRestorationActivity", label, LogText.label(actual))
      }
      if let userInfo, userInfo != actual.userInfo {
        found.add(
          "stateRestorationActivity.userInfo", "\(UserActivity.Value.json(userInfo))",
          "\(UserActivity.Value.json(actual.userInfo))")
      }
    }
  }
}

extension SceneFields {
  fileprivate func compare(_ label: SceneLabel, _ view: VectorView, _ found: inout Differences) {
    guard let scene = view.scene(label) else {
      found.add("a scene", "none")
      return
    }
    if let activationState {
      found.compare(
        "activationState", activationState.rawValue, State(scene.activationState).rawValue)
    }
    if let rawActivationState {
      found.compare(
        "rawActivationState", "\(rawActivationState)", "\(scene.activationState.rawValue)")
    }
    if let delegateClass {
      found.compare(
        "delegateClass", VectorExpectation.text(delegateClass),
        VectorExpectation.text(scene.delegateClass))
    }
    if let sceneClass {
      found.compare(
        "sceneClass", VectorExpectation.text(sceneClass), VectorExpectation.text(scene.sceneClass))
    }
  }
}

/// What differs from an expectation, with the paths of its parts.
private struct Differences {
  private(set) var all: [String] = []
  private var path: String

  init(path: String) {
    self.path = path
  }

  /// Lets a function add differences of a part.
  mutating func inside(_ part: String, _ body: (inout Differences) -> Void) {
    let outer = path
    path += ".\(part)"
    body(&self)
    path = outer
  }

  mutating func compare(_ part: String, _ expected: String, _ found: String) {
    if !expected.utf8.elementsEqual(found.utf8) { add(part, expected, found) }
  }

  mutating func add(_ part: String, _ expected: String, _ found: String) {
    all.append("\(path).\(part): expected \(expected), found \(found)")
  }

  mutating func add(_ expected: String, _ found: String) {
    all.append("\(path): expected \(expected), found \(found)")
  }
}
