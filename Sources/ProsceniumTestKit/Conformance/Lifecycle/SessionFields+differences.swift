// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension SessionFields {
  func compare(
    session label: SessionLabel, _ view: VectorView, _ found: inout ExpectationDifferences
  ) {
    guard let session = view.session(label) else {
      found.add("a session", "none")
      return
    }
    if let scene {
      let actual = view.scene(of: label)
      found.compare("scene", VectorExpectation.text(scene), VectorExpectation.text(actual))
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

  func compare(
    stored label: SessionLabel, _ view: VectorView, _ found: inout ExpectationDifferences
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
    let userInfo: [String: UserInfoValue]?
    let conditions: SceneActivationConditions
  }

  private func compare(_ held: Held, _ found: inout ExpectationDifferences) {
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
      let actual = held.userInfo.map { UserInfoValue.dictionary($0) }
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

  private func compareActivity(_ actual: UserActivity?, _ found: inout ExpectationDifferences) {
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
          "stateRestorationActivity.userInfo", "\(UserInfoValue.json(userInfo))",
          "\(UserInfoValue.json(actual.userInfo))")
      }
    }
  }
}
