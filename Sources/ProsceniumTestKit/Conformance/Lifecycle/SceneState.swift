// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What can be read of a scene at one moment.
struct SceneState: Sendable {
  let activationState: Scene.ActivationState
  let delegateClass: String?
  let sceneClass: String?
  /// The session as the scene has it, which may be ahead of what others see.
  let session: SceneSession?
}

extension Scene {
  /// What a suite reads of the scene, on its own executor.
  ///
  /// - Parameter session: The session as a callback was given it, or nil for the scene's own.
  /// - Returns: The state at this moment.
  func stateForSuite(_ session: SceneSession? = nil) -> SceneState {
    SceneState(
      activationState: activationState,
      delegateClass: delegate.map { ($0 as? ScriptDelegate)?.delegateClass ?? "\(type(of: $0))" },
      sceneClass: sceneClass, session: session ?? self.session)
  }
}
