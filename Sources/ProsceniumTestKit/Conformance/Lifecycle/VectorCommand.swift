// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// A command of a vector's step: what its arguments make of it.
struct VectorCommand: Decodable, Sendable {
  /// What a command does; what it submits is not waited for, so that several can be in flight.
  typealias Action = @Sendable (inout VectorRun) async throws -> Void

  /// The command's name, for messages.
  let name: String
  let action: Action

  /// Reads a command that is no step: an element of `parallel`.
  init(from decoder: any Decoder) throws {
    try self.init(CommandArguments(decoder))
  }

  /// Reads a command whose other keys were asked for before.
  init(_ arguments: CommandArguments) throws {
    name = try arguments.get("cmd")
    guard let reader = Self.readers[name] else {
      let names = Self.readers.keys.sorted().joined(separator: ", ")
      throw try arguments.node.member("cmd").failure(.unknownValue, "one of \(names)")
    }
    action = try reader(arguments)
    try arguments.checkOthers()
  }
}

/// The object of a command, for reading its arguments.
final class CommandArguments {
  let node: JSONNode
  private let userInfo: [CodingUserInfoKey: Any]
  private var known: [String] = []

  init(_ decoder: any Decoder) {
    node = decoder.json
    userInfo = decoder.userInfo
  }

  /// Reads an argument that has to be there.
  func get<Value: Decodable>(
    _ key: String, as _: Value.Type = Value.self
  ) throws(JSONFileError) -> Value {
    known.append(key)
    return try node.member(key).decode(userInfo: userInfo)
  }

  /// Reads an argument, if it is there.
  func find<Value: Decodable>(
    _ key: String, as _: Value.Type = Value.self
  ) throws(JSONFileError) -> Value? {
    known.append(key)
    guard let node = try node.optional(key) else { return nil }
    return try node.decode(Value.self, userInfo: userInfo)
  }

  func text(_ key: String) throws(JSONFileError) -> String { try get(key) }

  func session() throws(JSONFileError) -> SessionLabel { try get("session") }

  func activity() throws(JSONFileError) -> ActivityLabel { try get("activity") }

  /// Checks that there are no arguments but those that were asked for.
  func checkOthers() throws(JSONFileError) {
    try node.checkKeys(known)
  }
}

/// An event of a vector, on its way to a scene.
struct VectorEvent: Decodable, Sendable {
  private enum Name: String, JSONWord {
    case url = "event.url"
    case activity = "event.activity"
    case notification = "event.notification"
    case shortcut = "event.shortcut"
    case share = "event.share"
    case handoff = "event.handoff"
  }

  /// The names of the commands that are events.
  static var names: [String] { Name.allCases.map(\.rawValue) }

  /// Makes the event, with the runner's activities as they are then.
  let event: @Sendable (VectorRun) -> SceneEvent
  /// The session of the scene that an in-app event came from.
  private(set) var source: SessionLabel?

  /// Reads the event of a launch.
  init(from decoder: any Decoder) throws {
    let arguments = CommandArguments(decoder)
    try self.init(arguments)
    try arguments.checkOthers()
  }

  init(_ arguments: CommandArguments) throws(JSONFileError) {
    switch try arguments.get("cmd", as: Name.self) {
    case .url:
      let url = try arguments.text("url")
      source = try arguments.find("source")
      event = { _ in .url(OpenURLContext(url)) }
    case .activity:
      let label = try arguments.activity()
      source = try arguments.find("source")
      event = { .activity($0.activity(label)) }
    case .notification:
      let id = try arguments.text("id")
      let target = try arguments.find("targetContentIdentifier", as: String.self)
      event = { _ in .notification(NotificationResponse(id, targetContentIdentifier: target)) }
    case .shortcut:
      let type = try arguments.text("type")
      let target = try arguments.find("targetContentIdentifier", as: String.self)
      event = { _ in .shortcut(ShortcutItem(type, targetContentIdentifier: target)) }
    case .share:
      let id = try arguments.text("id")
      event = { _ in .share(ShareMetadata(id)) }
    case .handoff:
      let type = try arguments.text("type")
      let target = try arguments.find("targetContentIdentifier", as: String.self)
      event = { _ in .handoff(activityType: type, targetContentIdentifier: target) }
    }
  }
}
