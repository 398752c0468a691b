// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPredicate

/// Sessions and states for checks of stores.
enum StoreSample {
  static func identifier(_ number: Int) -> SessionIdentifier {
    .number(UInt64(number))
  }

  static func row(_ number: Int) -> SessionRow {
    row(identifier(number))
  }

  static func row(_ identifier: SessionIdentifier) -> SessionRow {
    SessionRow(persistentIdentifier: identifier)
  }

  /// A row in which every field has a value that says where it belongs.
  static func fullRow(_ number: Int) -> SessionRow {
    SessionRow(
      persistentIdentifier: identifier(number),
      configuration: StoredConfiguration(
        role: SceneSession.Role(rawValue: "role/\(number % 3)"), name: "name \(number)",
        delegateClass: "Delegate\(number)",
        sceneClass: "Scene\(number)", manifestRevision: "revision \(number)"),
      lastActivated: UInt64(number) + 1, group: SceneGroup(rawValue: "group \(number)"),
      activationConditions: SceneActivationConditions(
        can: predicate("can/\(number)"), prefers: predicate("prefers/\(number)")),
      title: "title \(number)", subtitle: "subtitle \(number)",
      destructionConditions: [.userInitiatedDismissal],
      nextWake: 1_800_000_000_123 + Int64(number), owner: "owner \(number % 2)",
      lastUsed: 1_000 + Int64(number))
  }

  static func predicate(_ text: String) -> ContentPredicate {
    (try? .equals(text)) ?? .true
  }

  /// An encoded state that carries a number, and is about so many bytes long.
  static func state(_ number: Int, byteCount: Int = 100) -> [UInt8] {
    let padding = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
    let activity = UserActivity(
      "sample", userInfo: ["number": .integer(Int64(number)), "padding": .data(padding)])
    return (try? SavedState(activity: activity).encoded()) ?? []
  }

  /// The number that a state carries.
  static func number(of state: [UInt8]) -> Int? {
    let decoded = try? SavedState(decoding: state)
    return decoded?.activity?.userInfo["number"]?.integer.map { Int($0) }
  }
}

extension SessionRow {
  /// What a store keeps of the row, by name.
  var fields: [(name: String, value: String?)] {
    let conditions: [(Scene.DestructionCondition, String)] = [
      (.userInitiatedDismissal, "userInitiatedDismissal"),
      (.systemDisconnection, "systemDisconnection"),
    ]
    return [
      ("role", configuration.role.rawValue), ("configuration", configuration.name),
      ("delegateClass", configuration.delegateClass), ("sceneClass", configuration.sceneClass),
      ("manifestRevision", configuration.manifestRevision), ("lastActivated", "\(lastActivated)"),
      ("group", group?.rawValue), ("can", activationConditions.can.description),
      ("prefers", activationConditions.prefers.description), ("title", title),
      ("subtitle", subtitle),
      (
        "destructionConditions",
        "\(conditions.filter { destructionConditions.contains($0.0) }.map(\.1))"
      ),
      ("hasSavedState", "\(hasSavedState)"), ("isDiscarded", "\(isDiscarded)"),
      ("nextWake", nextWake.map { "\($0)" }), ("owner", owner),
      ("lastUsed", lastUsed.map { "\($0)" }), ("damage", damage?.description),
    ]
  }

  /// What is wrong about a field of a row that should be like this one.
  func differences(of found: SessionRow) -> [String] {
    zip(found.fields, fields).compactMap { found, expected in
      // What people and routing see keeps its bytes; of names it is enough that they are equal.
      let isSame =
        ["can", "prefers", "title", "subtitle"].contains(expected.name)
        ? found.value.map { Array($0.utf8) } == expected.value.map { Array($0.utf8) }
        : found.value == expected.value
      if isSame { return nil }
      return "\(found.name) is \(Self.shown(found.value)), not \(Self.shown(expected.value))"
    }
  }

  private static func shown(_ text: String?) -> String {
    text.map(JSONValue.excerpt) ?? "nil"
  }
}
