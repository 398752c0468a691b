// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// What is expected of a session, or of its row in the store.
struct SessionFields: Sendable {
  struct Configuration: Sendable {
    let name: String??
    let delegateClass: String??
    let sceneClass: String??
  }

  enum Activity: Sendable {
    case nothing
    case activity(label: String?, userInfo: [String: UserInfoValue]?)
  }

  let scene: SceneLabel??
  let role: VectorRole?
  let configuration: Configuration?
  let stateRestorationActivity: Activity?
  let userInfo: UserInfoValue??
  let can: String?
  let prefers: String?
  let hasPendingRefresh: Bool?

  private static let storedKeys = [
    "role", "configuration", "stateRestorationActivity", "userInfo", "activationConditions",
  ]

  /// Reads what is expected of a session.
  init(ofSession node: JSONNode) throws(JSONFileError) {
    try self.init(node, keys: ["scene", "pendingRefresh"] + Self.storedKeys)
  }

  /// Reads what is expected of a row.
  init(stored node: JSONNode) throws(JSONFileError) {
    try self.init(node, keys: Self.storedKeys)
  }

  private init(_ node: JSONNode, keys: [String]) throws(JSONFileError) {
    try node.checkKeys(keys)
    scene = try node.optional("scene").map { (node) throws(JSONFileError) in
      try node.unlessNull.map(SceneLabel.init)
    }
    role = try node.optional("role")?.word(VectorRole.self)
    configuration = try node.optional("configuration").map(Self.configuration)
    stateRestorationActivity = try node.optional("stateRestorationActivity").map(Self.activity)
    userInfo = try node.optional("userInfo").map { (node) throws(JSONFileError) in
      try node.unlessNull?.userInfoValue()
    }
    let conditions = try node.optional("activationConditions")
    try conditions?.checkKeys("can", "prefers")
    can = try conditions?.optional("can")?.text()
    prefers = try conditions?.optional("prefers")?.text()
    hasPendingRefresh = try node.optional("pendingRefresh")?.bool()
  }

  private static func configuration(_ node: JSONNode) throws(JSONFileError) -> Configuration {
    try node.checkKeys("name", "delegateClass", "sceneClass")
    return Configuration(
      name: try node.textOrNull("name"), delegateClass: try node.textOrNull("delegateClass"),
      sceneClass: try node.textOrNull("sceneClass"))
  }

  private static func activity(_ node: JSONNode) throws(JSONFileError) -> Activity {
    switch node.value {
    case .null: return .nothing
    case .text(let label): return .activity(label: label, userInfo: nil)
    case .object:
      try node.checkKeys("label", "userInfo")
      return .activity(
        label: try node.optional("label")?.text(),
        userInfo: try node.optional("userInfo")?.userInfoDictionary())
    default: throw node.failure(.wrongType, "a label, null, or an object with \"label\"")
    }
  }
}

extension JSONNode {
  /// The text of a member, or null; nil if the object does not have it.
  func textOrNull(_ key: String) throws(JSONFileError) -> String?? {
    try optional(key).map { (node) throws(JSONFileError) in try node.unlessNull?.text() }
  }
}
