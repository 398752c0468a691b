// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// A session that exists at the start of a vector.
struct ModelSeed {
  private enum State: String, CaseIterable {
    case archived, background, inactive, active
  }

  let label: ModelLabel
  /// The state of its scene; unattached if it has none.
  let state: ModelState
  /// The number of its scene, or of the last one that it had.
  let instance: Int
  let row: ModelRow

  init(_ node: JSONNode, at index: Int, _ setup: ModelSetup) throws(JSONFileError) {
    try node.checkKeys(
      "label", "state", "instance", "lastActivated", "identifier", "role", "configuration",
      "activationConditions", "stateRestorationActivity", "userInfo")
    label = try ModelLabel(node.member("label"))
    state =
      switch try node.member("state").word(State.self) {
      case .archived: .unattached
      case .background: .background
      case .inactive: .inactive
      case .active: .active
      }
    instance = try node.optional("instance")?.integer(in: 1...1_000) ?? 1
    let role = try node.optional("role")?.text() ?? "windowApplication"
    let saved = try node.optional("configuration").map(ModelConfiguration.init)
    row = ModelRow(
      role: role,
      configuration: saved ?? setup.firstConfiguration(of: role) ?? .notFound(nil),
      identifier: try node.optional("identifier")?.text() ?? label.seededIdentifier,
      lastActivated: try node.optional("lastActivated")?.integer(in: 0...1_000_000)
        ?? index + 1 + (state.isForeground ? 1_000 : 0),
      conditions: try node.optional("activationConditions").map(ModelConditions.init)
        ?? ModelConditions(),
      activity: try node.optional("stateRestorationActivity")?.unlessNull.map {
        (activity) throws(JSONFileError) in
        let label = try activity.text()
        return ModelCapture(
          label: label, userInfo: setup.activities[label]?.userInfo ?? .object([]))
      },
      userInfo: try node.optional("userInfo")?.unlessNull?.value)
  }
}
