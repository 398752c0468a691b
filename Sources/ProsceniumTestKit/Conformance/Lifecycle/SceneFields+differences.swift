// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension SceneFields {
  func compare(_ label: SceneLabel, _ view: VectorView, _ found: inout ExpectationDifferences) {
    guard let scene = view.scene(label) else {
      found.add("a scene", "none")
      return
    }
    if let activationState {
      found.compare(
        "activationState", activationState.rawValue, State(scene.activationState).rawValue)
    }
    if let rawActivationState {
      found.compare(
        "rawActivationState", "\(rawActivationState)", "\(scene.activationState.rawValue)")
    }
    if let delegateClass {
      found.compare(
        "delegateClass", VectorExpectation.text(delegateClass),
        VectorExpectation.text(scene.delegateClass))
    }
    if let sceneClass {
      found.compare(
        "sceneClass", VectorExpectation.text(sceneClass), VectorExpectation.text(scene.sceneClass))
    }
  }
}
