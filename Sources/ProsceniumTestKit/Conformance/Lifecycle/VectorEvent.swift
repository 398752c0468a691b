// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// An event of a vector, on its way to a scene.
struct VectorEvent: Sendable {
  enum Payload: Sendable {
    case url(String)
    /// An activity by its label.
    case activity(String)
    case notification(String, target: String?)
    case shortcut(type: String, target: String?)
    case share(String)
    case handoff(type: String, target: String?)
  }

  let payload: Payload
  /// The session of the scene that an in-app event came from.
  let source: SessionLabel?

  init(
    _ name: VectorCommand.EventName, _ arguments: CommandArguments
  ) throws(JSONFileError) {
    let target = try arguments.node.optional("targetContentIdentifier")?.text()
    source = try arguments.node.optional("source").map(SessionLabel.init)
    payload =
      switch name {
      case .url: .url(try arguments.text("url"))
      case .activity: .activity(try arguments.activity())
      case .notification: .notification(try arguments.text("id"), target: target)
      case .shortcut: .shortcut(type: try arguments.text("type"), target: target)
      case .share: .share(try arguments.text("id"))
      case .handoff: .handoff(type: try arguments.text("type"), target: target)
      }
  }
}
