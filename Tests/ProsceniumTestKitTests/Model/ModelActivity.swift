// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// An activity as the runner of a vector keeps it.
struct ModelActivity: Hashable {
  var type = "t"
  var targetContentIdentifier: String?
  var webpageURL: String?
  var userInfo = JSONValue.object([])

  /// What routing looks for: the identifier, or else the page's address (3.1).
  var identifier: String? { targetContentIdentifier ?? webpageURL }

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("type", "targetContentIdentifier", "webpageURL", "userInfo")
    type = try node.optional("type")?.text() ?? type
    targetContentIdentifier = try node.optional("targetContentIdentifier")?.text()
    webpageURL = try node.optional("webpageURL")?.text()
    userInfo = try node.optional("userInfo")?.value ?? userInfo
  }
}

/// A copy of an activity that a session has or the store holds.
struct ModelCapture: Hashable {
  let label: String
  let userInfo: JSONValue
}

/// What a scene is given: in its connection options, or in a callback of a connected scene (3.5).
enum ModelPayload: Hashable {
  case url(String)
  case handoff(type: String)
  case activity(String)
  case notification(String)
  case shortcut(type: String)
  case share(String)

  /// The kind of the connection option, for rules of configurations.
  var kind: String {
    switch self {
    case .url: "url"
    case .handoff: "handoff"
    case .activity: "act"
    case .notification: "notif"
    case .shortcut: "shortcut"
    case .share: "share"
    }
  }

  /// The payload as the options of a connection, without the braces.
  var option: String {
    switch self {
    case .url(let url): "url:[\(modelAtom(url))]"
    case .handoff(let type): "handoff:\(modelAtom(type))"
    case .activity(let label): "act:[\(label)]"
    case .notification(let id): "notif:\(modelAtom(id))"
    case .shortcut(let type): "shortcut:\(modelAtom(type))"
    case .share(let id): "share:\(modelAtom(id))"
    }
  }
}
