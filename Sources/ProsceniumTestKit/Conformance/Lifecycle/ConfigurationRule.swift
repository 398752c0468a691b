// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// What the application delegate returns for some new sessions.
struct ConfigurationRule: Sendable {
  /// What a scene can be connected for.
  enum Options: String, Sendable, CaseIterable {
    case none, url, act, handoff, notif, shortcut, share
  }

  private let session: SessionLabel?
  private let options: Options?
  private let name: String?
  private let role: VectorRole?

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("session", "options", "return")
    session = try node.optional("session").map(SessionLabel.init)
    options = try node.optional("options")?.word(Options.self)
    let returned = try node.member("return")
    try returned.checkKeys("name", "role")
    name = try returned.member("name").unlessNull?.text()
    role = try returned.optional("role")?.word(VectorRole.self)
  }

  func matches(_ session: SessionLabel, _ options: Scene.ConnectionOptions) -> Bool {
    if let expected = self.session, expected != session { return false }
    return self.options.map { $0.isContained(in: options) } ?? true
  }

  func configuration(for role: SceneSession.Role) -> SceneConfiguration {
    SceneConfiguration(name: name, sessionRole: self.role?.role ?? role)
  }
}

extension ConfigurationRule.Options {
  fileprivate func isContained(in options: Scene.ConnectionOptions) -> Bool {
    switch self {
    case .none: options.isEmpty
    case .url: !options.urlContexts.isEmpty
    case .act: !options.userActivities.isEmpty
    case .handoff: options.handoffUserActivityType != nil
    case .notif: options.notificationResponse != nil
    case .shortcut: options.shortcutItem != nil
    case .share: options.shareMetadata != nil
    }
  }
}
