// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// The callbacks of a scene's delegate.
package enum SceneCallback: UInt8, Sendable {
  /// `scene(_:willConnectTo:options:)` and so on, in the order of a life.
  case connect, restore, willEnterForeground, proceed, didBecomeActive, willResignActive
  case didEnterBackground, capture, disconnect
}

/// The states of a scene.
package enum SceneState: UInt8, Sendable {
  /// From the one that is farthest from the user to the nearest.
  case unattached, background, inactive, active

  /// Makes the state from the runtime's own.
  package init(_ state: Scene.ActivationState) {
    switch state {
    case .unattached: self = .unattached
    case .background: self = .background
    case .foregroundInactive: self = .inactive
    case .foregroundActive: self = .active
    }
  }
}

/// One callback: which, the state that it saw, and what it was given (an activity's number).
package struct SceneCall: Sendable, Equatable, CustomStringConvertible {
  /// All three in one word.
  package let code: UInt32

  /// Makes a call.
  package init(_ callback: SceneCallback, _ state: SceneState, _ activity: Int = 0) {
    code = UInt32(callback.rawValue) | UInt32(state.rawValue) << 8 | UInt32(activity) << 16
  }

  /// Makes a call from its word.
  package init(code: UInt32) {
    self.code = code
  }

  /// Which callback it was.
  package var callback: SceneCallback? { SceneCallback(rawValue: UInt8(truncatingIfNeeded: code)) }
  /// The state that it saw.
  package var state: SceneState? { SceneState(rawValue: UInt8(truncatingIfNeeded: code >> 8)) }

  /// The three, with dots between them.
  package var description: String {
    let names = [callback.map { "\($0)" } ?? "?", state.map { "\($0)" } ?? "?", "\(code >> 16)"]
    return names.joined(separator: ".")
  }
}
