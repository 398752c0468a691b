// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// The actions of a vector's scene delegates, in addition to logging.
struct DelegateScript: Sendable {
  /// The methods of a scene delegate, as a log spells them.
  enum Method: String, Sendable, CaseIterable {
    case willConnect, restoreInteractionState, willEnterForeground, didBecomeActive
    case willResignActive, didEnterBackground, didDisconnect, stateRestorationActivity, didUpdate
    case openURLContexts, `continue`, willContinue, didFailToContinue, performAction
    case userDidAcceptShare
  }

  enum Action: Sendable {
    case extendStateRestoration
    case completeStateRestoration
    case setActivationConditions(ConditionsChange)
    case setUserInfo(UserInfoValue)
  }

  private enum ActionName: String, CaseIterable {
    case extendStateRestoration, completeStateRestoration, setActivationConditions, setUserInfo
  }

  /// The methods that the delegate does not have.
  let absent: Set<Method>
  /// The label of the activity that it returns as its state.
  let stateRestorationActivity: String?
  /// What it does in its methods.
  let actions: [Method: [Action]]

  /// The script of a delegate that only logs.
  static let plain = DelegateScript()

  private init() {
    absent = []
    stateRestorationActivity = nil
    actions = [:]
  }

  init(_ node: JSONNode, activities: ActivityLabels) throws(JSONFileError) {
    try node.checkKeys("absent", "stateRestorationActivity", "on")
    var absent: Set<Method> = []
    for method in try node.optional("absent")?.elements() ?? [] {
      absent.insert(try method.word(Method.self))
    }
    self.absent = absent
    stateRestorationActivity = try activities.labelIfAny(
      node.optional("stateRestorationActivity"))
    actions = try node.optional("on").map(Self.actions) ?? [:]
  }

  private static func actions(_ node: JSONNode) throws(JSONFileError) -> [Method: [Action]] {
    var all: [Method: [Action]] = [:]
    for (key, list) in try node.members() {
      guard let method = Method(rawValue: key) else {
        let known = Method.allCases.map(\.rawValue).joined(separator: ", ")
        throw list.failure(.unknownKey, "one of \(known)", found: JSONValue.excerpt(key))
      }
      var actions: [Action] = []
      for element in try list.elements() { actions.append(try action(element, in: method)) }
      all[method] = actions
    }
    return all
  }

  private static func action(
    _ node: JSONNode, in method: Method
  ) throws(JSONFileError) -> Action {
    let name = try node.member("do")
    switch try name.word(ActionName.self) {
    case .extendStateRestoration:
      try checkRestoring(node, name, method)
      return .extendStateRestoration
    case .completeStateRestoration:
      try checkRestoring(node, name, method)
      return .completeStateRestoration
    case .setActivationConditions:
      try node.checkKeys("do", "can", "prefers")
      let change = try ConditionsChange(node)
      guard change.can != nil || change.prefers != nil else {
        throw node.failure(.missingKey, "the key \"can\" or \"prefers\"", found: "neither")
      }
      return .setActivationConditions(change)
    case .setUserInfo:
      try node.checkKeys("do", "value")
      return .setUserInfo(try node.member("value").userInfoValue())
    }
  }

  private static func checkRestoring(
    _ node: JSONNode, _ name: JSONNode, _ method: Method
  ) throws(JSONFileError) {
    try node.checkKeys("do")
    guard method == .willConnect || method == .restoreInteractionState else {
      throw name.failure(
        .unknownValue,
        "an action that \(method.rawValue) can do: \(name.value) belongs to "
          + "willConnect and restoreInteractionState")
    }
  }
}
