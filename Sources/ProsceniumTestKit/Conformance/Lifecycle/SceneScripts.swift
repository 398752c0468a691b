// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// The scripts of a vector's scene delegates: by session, by class, or for all.
struct SceneScripts: Sendable {
  private var scripts: [String: DelegateScript] = [:]

  /// Scripts of delegates that only log.
  init() {}

  init(_ node: JSONNode, activities: ActivityLabels) throws(JSONFileError) {
    for (key, script) in try node.members() {
      guard key == "*" || Self.isClass(key) || SessionLabel(key) != nil else {
        throw script.failure(
          .unknownKey, "the label of a session, class: and the name of a class, or *",
          found: JSONValue.excerpt(key))
      }
      scripts[key] = try DelegateScript(script, activities: activities)
    }
  }

  private static func isClass(_ key: String) -> Bool {
    key.hasPrefix("class:") && key.utf8.count > "class:".utf8.count
  }

  /// The script of a delegate: the most particular one there is, as a whole.
  func script(_ session: SessionLabel, delegateClass: String) -> DelegateScript {
    scripts["\(session)"] ?? scripts["class:\(delegateClass)"] ?? scripts["*"] ?? .plain
  }
}
