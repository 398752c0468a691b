// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

/// What is expected of a scene.
struct SceneFields: Sendable {
  enum State: String, Sendable, CaseIterable {
    case unattached, foregroundActive, foregroundInactive, background

    init(_ state: Scene.ActivationState) {
      switch state {
      case .unattached: self = .unattached
      case .foregroundActive: self = .foregroundActive
      case .foregroundInactive: self = .foregroundInactive
      case .background: self = .background
      }
    }
  }

  let activationState: State?
  let rawActivationState: Int?
  let delegateClass: String??
  let sceneClass: String??

  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("activationState", "rawActivationState", "delegateClass", "sceneClass")
    activationState = try node.optional("activationState")?.word(State.self)
    rawActivationState = try node.optional("rawActivationState")?.integer(in: -128...127)
    delegateClass = try node.textOrNull("delegateClass")
    sceneClass = try node.textOrNull("sceneClass")
  }
}
