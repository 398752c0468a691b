// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// A scene configuration: an entry of the manifest, or what a session has of one.
struct ModelConfiguration: Hashable {
  var name: String?
  var delegateClass: String?
  var sceneClass: String? = "WindowScene"

  /// What comes of a name that the manifest does not have (R-CFG-3).
  static func notFound(_ name: String?) -> ModelConfiguration {
    ModelConfiguration(name: name, delegateClass: nil, sceneClass: nil)
  }

  init(name: String?, delegateClass: String?, sceneClass: String?) {
    self.name = name
    self.delegateClass = delegateClass
    self.sceneClass = sceneClass
  }

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("name", "delegateClass", "sceneClass")
    let name = try node.member("name").text()
    self.name = name
    delegateClass = try node.optional("delegateClass")?.text() ?? "\(name)Delegate"
    sceneClass = try node.optional("sceneClass")?.text() ?? sceneClass
  }
}

/// A rule of the application delegate: which configuration it returns for which connection.
struct ModelConfigurationRule: Hashable {
  let session: ModelLabel?
  let options: String?
  let name: String?
  let role: String?

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("session", "options", "return")
    session = try node.optional("session").map(ModelLabel.init)
    options = try node.optional("options")?.text()
    let returned = try node.member("return")
    try returned.checkKeys("name", "role")
    name = try returned.member("name").unlessNull?.text()
    role = try returned.optional("role")?.text()
  }

  func applies(to label: ModelLabel, _ payload: ModelPayload?) -> Bool {
    (session ?? label) == label && (options ?? payload?.kind ?? "none") == payload?.kind ?? "none"
  }
}
