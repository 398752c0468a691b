// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// A configuration of a setup's manifest, or the one that a session was saved with.
struct ManifestEntry: Sendable {
  static let defaultSceneClass = "WindowScene"

  let name: String
  let role: VectorRole
  let delegateClass: String
  let sceneClass: String

  init(
    name: String, role: VectorRole, delegateClass: String? = nil,
    sceneClass: String = Self.defaultSceneClass
  ) {
    self.name = name
    self.role = role
    self.delegateClass = delegateClass ?? "\(name)Delegate"
    self.sceneClass = sceneClass
  }

  init(_ node: JSONNode, role: VectorRole) throws(JSONFileError) {
    try node.checkKeys("name", "delegateClass", "sceneClass")
    self.init(
      name: try node.member("name").text(), role: role,
      delegateClass: try node.optional("delegateClass")?.text(),
      sceneClass: try node.optional("sceneClass")?.text() ?? Self.defaultSceneClass)
  }

  /// Reads what a session was saved with; the scene's class is that of the manifest's entry.
  init(
    saved node: JSONNode, role: VectorRole, manifest: [ManifestEntry]
  ) throws(JSONFileError) {
    try node.checkKeys("name", "delegateClass")
    let name = try node.member("name").text()
    let entry = manifest.first { $0.role == role && $0.name.utf8.elementsEqual(name.utf8) }
    self.init(
      name: name, role: role, delegateClass: try node.optional("delegateClass")?.text(),
      sceneClass: entry?.sceneClass ?? Self.defaultSceneClass)
  }
}
