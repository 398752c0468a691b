// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// A session that exists when a vector begins.
struct VectorSession: Sendable {
  enum State: String, Sendable, CaseIterable {
    case archived, background, inactive, active

    var isForeground: Bool { self == .inactive || self == .active }
  }

  let label: SessionLabel
  let state: State
  /// The number of the connected scene, or of the last one.
  let instance: Int
  let lastActivated: UInt64
  let identifier: SessionIdentifier
  let role: VectorRole
  /// What it was saved with; nil if the manifest has nothing for its role.
  let configuration: ManifestEntry?
  let can: String
  let prefers: String
  /// The label of the activity to restore it from.
  let stateRestorationActivity: String?
  let userInfo: [String: UserInfoValue]?

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - node: The session.
  ///   - position: Its position in the list, from 1.
  ///   - manifest: The manifest, whose first entry of the role is the configuration unless given.
  ///   - activities: The activities of the setup.
  /// - Throws: `JSONFileError` if the session does not fit.
  init(
    _ node: JSONNode, position: Int, manifest: [ManifestEntry], activities: ActivityLabels
  ) throws(JSONFileError) {
    try node.checkKeys(
      "label", "state", "instance", "lastActivated", "identifier", "role", "configuration",
      "activationConditions", "stateRestorationActivity", "userInfo")
    let label = try SessionLabel(node.member("label"))
    let state = try node.member("state").word(State.self)
    let role = try node.optional("role")?.word(VectorRole.self) ?? .windowApplication
    self.label = label
    self.state = state
    self.role = role
    instance = try node.optional("instance")?.integer(in: 1...1_000_000) ?? 1
    // The runtime's counter has 48 bits.
    lastActivated = UInt64(
      try node.optional("lastActivated")?.integer(in: 0...1 << 40)
        ?? position + (state.isForeground ? 1000 : 0))
    identifier =
      try node.optional("identifier").map(Self.identifier) ?? label.defaultIdentifier
    if let saved = try node.optional("configuration") {
      configuration = try ManifestEntry(saved: saved, role: role, manifest: manifest)
    } else {
      configuration = manifest.first { $0.role == role }
    }
    let conditions = try node.optional("activationConditions")
    try conditions?.checkKeys("can", "prefers")
    can = try conditions?.optional("can")?.text() ?? "TRUEPREDICATE"
    prefers = try conditions?.optional("prefers")?.text() ?? "FALSEPREDICATE"
    stateRestorationActivity = try activities.labelIfAny(
      node.optional("stateRestorationActivity"))
    userInfo = try node.optional("userInfo")?.unlessNull.map(Self.propertyList)
  }

  private static func identifier(_ node: JSONNode) throws(JSONFileError) -> SessionIdentifier {
    let text = try node.text()
    guard let identifier = SessionIdentifier(text),
      identifier.description.utf8.elementsEqual(text.utf8)
    else { throw node.failure(.unknownValue, "a UUID in lower case") }
    return identifier
  }

  private static func propertyList(
    _ node: JSONNode
  ) throws(JSONFileError) -> [String: UserInfoValue] {
    let dictionary = try node.userInfoDictionary()
    guard UserInfoValue.dictionary(dictionary).isPropertyList else {
      throw node.failure(.unknownValue, "values that a property list can hold")
    }
    return dictionary
  }
}
