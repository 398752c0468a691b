// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// The object of a command, for reading its arguments.
struct CommandArguments: Sendable {
  let node: JSONNode
  let activities: ActivityLabels

  func text(_ key: String) throws(JSONFileError) -> String {
    try node.member(key).text()
  }

  func session() throws(JSONFileError) -> SessionLabel {
    try SessionLabel(node.member("session"))
  }

  func activity() throws(JSONFileError) -> String {
    try activities.label(node.member("activity"))
  }

  func activityIfAny() throws(JSONFileError) -> String? {
    guard let node = try node.optional("activity") else { return nil }
    return try activities.label(node)
  }

  func requester() throws(JSONFileError) -> SceneLabel? {
    try node.optional("requestingScene").map(SceneLabel.init)
  }
}
