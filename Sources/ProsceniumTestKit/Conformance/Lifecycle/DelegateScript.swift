// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// The actions of a vector's scene delegates, in addition to logging.
struct DelegateScript: Decodable, Sendable {
  /// The methods of a scene delegate, as a log spells them.
  enum Method: String, JSONWord {
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

  private enum ActionName: String, JSONWord {
    case extendStateRestoration, completeStateRestoration, setActivationConditions, setUserInfo
  }

  private struct SetConditions: Decodable {
    let `do`: ActionName
    let can: PredicateText?
    let prefers: PredicateText?
  }

  private struct SetUserInfo: Decodable {
    let `do`: ActionName
    let value: VectorValue
  }

  private struct Fields: Decodable {
    let absent: Set<Method>?
    let stateRestorationActivity: Nullable<ActivityLabel>?
    let on: Named<Method, [Untyped]>?
  }

  /// An action that is read later, when its method is known.
  private struct Untyped: Decodable {
    let node: JSONNode

    init(from decoder: any Decoder) { node = decoder.json }
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

  init(from decoder: any Decoder) throws {
    let fields = try Fields(from: decoder)
    absent = fields.absent ?? []
    stateRestorationActivity = fields.stateRestorationActivity?.value?.description
    var actions: [Method: [Action]] = [:]
    for (method, list) in fields.on?.members ?? [] {
      actions[method] = try list.map { try Self.action($0.node, in: method) }
    }
    self.actions = actions
  }

  private static func action(
    _ node: JSONNode, in method: Method
  ) throws(JSONFileError) -> Action {
    switch try node.member("do").decode(ActionName.self) {
    case .extendStateRestoration:
      try checkRestoring(node, method)
      return .extendStateRestoration
    case .completeStateRestoration:
      try checkRestoring(node, method)
      return .completeStateRestoration
    case .setActivationConditions:
      let change = try node.decode(SetConditions.self)
      guard change.can != nil || change.prefers != nil else {
        throw node.failure(.missingKey, "the key \"can\" or \"prefers\"", found: "neither")
      }
      return .setActivationConditions(ConditionsChange(can: change.can, prefers: change.prefers))
    case .setUserInfo: return .setUserInfo(try node.decode(SetUserInfo.self).value.value)
    }
  }

  private static func checkRestoring(
    _ node: JSONNode, _ method: Method
  ) throws(JSONFileError) {
    try node.checkKeys("do")
    guard method == .willConnect || method == .restoreInteractionState else {
      let name = try node.member("do")
      throw name.failure(
        .unknownValue,
        "an action that \(method.rawValue) can do: \(name.value) belongs to "
          + "willConnect and restoreInteractionState")
    }
  }
}

/// The scripts of a vector's scene delegates: by session, by class, or for all.
struct SceneScripts: Decodable, Sendable {
  private struct Key: JSONName {
    static let expected = "the label of a session, class: and the name of a class, or *"
    let description: String

    init?(_ text: String) {
      let isClass = text.hasPrefix("class:") && text.utf8.count > "class:".utf8.count
      guard text == "*" || isClass || SessionLabel(text) != nil else { return nil }
      description = text
    }
  }

  private var scripts: [String: DelegateScript] = [:]

  /// Scripts of delegates that only log.
  init() {}

  init(from decoder: any Decoder) throws {
    for (key, script) in try Named<Key, DelegateScript>(from: decoder).members {
      scripts[key.description] = script
    }
  }

  /// The script of a delegate: the most particular one there is, as a whole.
  func script(_ session: SessionLabel, delegateClass: String) -> DelegateScript {
    scripts["\(session)"] ?? scripts["class:\(delegateClass)"] ?? scripts["*"] ?? .plain
  }
}
