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

/// A message that says who sent it, the how manieth of that sender's it is, and to whom.
package struct NumberedMessage: Sendable, Hashable, CustomStringConvertible {
  private let bits: UInt64

  /// Makes a message.
  package init(sender: Int, number: Int, session: Int) {
    bits = UInt64(sender) << 52 | UInt64(number) << 26 | UInt64(session)
  }

  /// Reads a message.
  package init(_ message: SceneMessage) {
    bits = message.bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Who sent it: 0 to 4,095.
  package var sender: Int { Int(bits >> 52) }
  /// The how manieth of the sender it is, from 0 on.
  package var number: Int { Int(bits >> 26 & 0x3FF_FFFF) }
  /// To whom it was sent.
  package var session: Int { Int(bits & 0x3FF_FFFF) }

  /// The message.
  package var message: SceneMessage {
    SceneMessage((0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
  }

  /// All three in words.
  package var description: String { "message \(number) of sender \(sender) to session \(session)" }
}

extension SceneGroup {
  /// Makes the group of a number; group 0 is the default group, which has no name.
  package static func numbered(_ number: Int) -> SceneGroup? {
    number == 0 ? nil : SceneGroup(rawValue: "\(number)")
  }
}

extension Optional<SceneGroup> {
  /// The number of a numbered group, 0 for the default group.
  package var number: Int { self.flatMap { Int($0.rawValue) } ?? 0 }
}

extension UserActivity {
  /// Makes the activity of a number, which is its type.
  package static func numbered(_ number: Int) -> UserActivity { UserActivity("\(number)") }

  /// The number of a numbered activity, -1 for any other.
  package var number: Int { Int(activityType) ?? -1 }
}
