// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPredicate

@testable import ProsceniumTestKit

/// What a scene delegate of a vector does.
struct ModelScript: Hashable {
  enum Action: Hashable {
    case extendRestoration
    case completeRestoration
    case setConditions(can: ContentPredicate?, prefers: ContentPredicate?)
    case setUserInfo(JSONValue)
  }

  /// The methods that the delegate does not implement.
  var absent: Set<String> = []
  /// The label of the activity that it returns when it is asked for its state.
  var captured: String?
  /// What it does inside its methods.
  var actions: [String: [Action]] = [:]

  /// The delegate that implements everything and does nothing.
  init() {}

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("absent", "stateRestorationActivity", "on")
    for method in try node.optional("absent")?.elements() ?? [] {
      absent.insert(try method.text())
    }
    captured = try node.optional("stateRestorationActivity")?.unlessNull?.text()
    guard let callbacks = try node.optional("on") else { return }
    for method in callbacks.namedMembers {
      for action in try method.node.elements() {
        actions[method.key, default: []].append(try Action(action))
      }
    }
  }

  /// Whether it extends the restoration in any method.
  var extendsRestoration: Bool {
    actions.values.contains { $0.contains(.extendRestoration) }
  }
}

extension ModelScript.Action {
  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("do", "can", "prefers", "value")
    let name = try node.member("do")
    switch try name.text() {
    case "extendStateRestoration": self = .extendRestoration
    case "completeStateRestoration": self = .completeRestoration
    case "setUserInfo": self = .setUserInfo(try node.member("value").value)
    case "setActivationConditions":
      self = .setConditions(
        can: try Self.predicate(node.optional("can")),
        prefers: try Self.predicate(node.optional("prefers")))
    default: throw name.failure(.unknownValue, "an action of a delegate")
    }
  }

  private static func predicate(_ node: JSONNode?) throws(JSONFileError) -> ContentPredicate? {
    guard let node else { return nil }
    guard case .predicate(let predicate) = try ModelPredicate(node) else {
      throw node.failure(.unknownValue, "a legal predicate")
    }
    return predicate
  }
}
