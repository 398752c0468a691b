// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// What is expected of a session.
struct SessionFields: Decodable, Sendable {
  struct Configuration: Decodable, Sendable {
    let name: Nullable<String>?
    let delegateClass: Nullable<String>?
    let sceneClass: Nullable<String>?
  }

  /// The label of an activity, or an object with it and the `userInfo`.
  struct Activity: Decodable, Sendable {
    private struct Fields: Decodable {
      let label: String?
      let userInfo: VectorValues?
    }

    let label: String?
    let userInfo: VectorValues?

    init(from decoder: any Decoder) throws {
      switch decoder.json.value {
      case .text(let label):
        self.label = label
        userInfo = nil
      case .object:
        let fields = try Fields(from: decoder)
        label = fields.label
        userInfo = fields.userInfo
      default:
        throw decoder.json.failure(.wrongType, "a label, null, or an object with \"label\"")
      }
    }
  }

  struct Conditions: Decodable, Sendable {
    let can: String?
    let prefers: String?
  }

  let scene: Nullable<SceneLabel>?
  let role: SuiteRole?
  let configuration: Configuration?
  let stateRestorationActivity: Nullable<Activity>?
  let userInfo: Nullable<VectorValue>?
  let activationConditions: Conditions?
  let pendingRefresh: Bool?

  func compare(
    _ label: SessionLabel, _ view: VectorView, _ found: inout ExpectationDifferences
  ) {
    guard let session = view.session(label) else { return found.add("a session", "none") }
    if let scene { found.compareOptional("scene", scene.value, view.scene(of: label)) }
    found.compare("pendingRefresh", pendingRefresh, view.hasPendingRefresh(label))
    compare(session, &found)
  }

  /// Compares what a session and its row have in common.
  fileprivate func compare(_ held: SceneSession, _ found: inout ExpectationDifferences) {
    found.compare("role", role, held.role.rawValue)
    for (name, expected, actual) in [
      ("name", configuration?.name, held.configuration.name),
      ("delegateClass", configuration?.delegateClass, held.configuration.delegateClass),
      ("sceneClass", configuration?.sceneClass, held.configuration.sceneClass),
    ] {
      if let expected { found.compareOptional("configuration.\(name)", expected.value, actual) }
    }
    compareActivity(held.stateRestorationActivity, &found)
    if let userInfo {
      let actual = held.userInfo.map { UserInfoValue.dictionary($0) }
      if userInfo.value?.value != actual {
        found.add(
          "userInfo", userInfo.value.map { "\($0.value.json)" } ?? "null",
          actual.map { "\($0.json)" } ?? "null")
      }
    }
    found.compare(
      "activationConditions.can", activationConditions?.can, held.activationConditions.can)
    found.compare(
      "activationConditions.prefers", activationConditions?.prefers,
      held.activationConditions.prefers)
  }

  private func compareActivity(_ actual: UserActivity?, _ found: inout ExpectationDifferences) {
    guard let stateRestorationActivity else { return }
    guard let expected = stateRestorationActivity.value, let actual else {
      let expected = stateRestorationActivity.value.map { $0.label ?? "an activity" }
      return found.compareOptional(
        "stateRestorationActivity", expected, actual.map { LogText.label($0) })
    }
    found.compare("stateRestorationActivity", expected.label, LogText.label(actual))
    if let userInfo = expected.userInfo?.values, userInfo != actual.userInfo {
      found.add(
        "stateRestorationActivity.userInfo", "\(UserInfoValue.dictionary(userInfo).json)",
        "\(UserInfoValue.dictionary(actual.userInfo).json)")
    }
  }
}

/// What is expected of a session's row in the store.
struct StoredFields: Decodable, Sendable {
  private let fields: SessionFields

  init(from decoder: any Decoder) throws {
    try decoder.json.checkKeys(
      "role", "configuration", "stateRestorationActivity", "userInfo", "activationConditions")
    fields = try SessionFields(from: decoder)
  }

  func compare(
    _ label: SessionLabel, _ view: VectorView, _ found: inout ExpectationDifferences
  ) {
    guard let row = view.storedSession(label) else { return found.add("a row", "none") }
    fields.compare(SceneSession(row, configuration: nil), &found)
  }
}

/// What is expected of a scene.
struct SceneFields: Decodable, Sendable {
  enum State: String, JSONWord {
    case unattached, foregroundActive, foregroundInactive, background
  }

  struct RawState: Decodable, Sendable {
    let value: Int

    init(from decoder: any Decoder) throws {
      value = try decoder.json.integer(in: -128...127)
    }
  }

  let activationState: State?
  let rawActivationState: RawState?
  let delegateClass: Nullable<String>?
  let sceneClass: Nullable<String>?

  func compare(_ label: SceneLabel, _ view: VectorView, _ found: inout ExpectationDifferences) {
    guard let scene = view.scene(label) else { return found.add("a scene", "none") }
    found.compare("activationState", activationState, "\(scene.activationState)")
    found.compare(
      "rawActivationState", rawActivationState?.value, scene.activationState.rawValue)
    if let delegateClass {
      found.compareOptional("delegateClass", delegateClass.value, scene.delegateClass)
    }
    if let sceneClass { found.compareOptional("sceneClass", sceneClass.value, scene.sceneClass) }
  }
}
