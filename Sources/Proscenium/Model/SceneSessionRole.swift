// SPDX-License-Identifier: Apache-2.0

/// What a session is for: an open set of names, as UIKit's.
///
/// An application knows at most 255 roles.
public struct SceneSessionRole: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
  /// The name.
  public let rawValue: String

  /// Creates a role from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a role from its name.
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  /// A window that the user works in; the default.
  public static let windowApplication = SceneSessionRole(rawValue: "windowApplication")

  /// A window on a second display that the user can work in.
  public static let windowExternalDisplay = SceneSessionRole(rawValue: "windowExternalDisplay")

  /// A window on a display that takes no input: it never becomes active
  /// (semantics#sessions-and-roles).
  public static let windowExternalDisplayNonInteractive = SceneSessionRole(
    rawValue: "windowExternalDisplayNonInteractive")

  var becomesActive: Bool { self != .windowExternalDisplayNonInteractive }
}

/// The name of a scene group: one user's display, whose foreground has a capacity of its own.
public struct SceneGroup: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
  /// The name.
  public let rawValue: String

  /// Creates a group from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates a group from its name.
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }
}

/// What ends a session, other than a request (R-DC-1).
public struct SceneDestructionCondition: Sendable, Hashable {
  let bit: UInt8

  /// The user dismisses the scene: its session is destroyed instead of going to the background.
  public static let userInitiatedDismissal = SceneDestructionCondition(bit: 1)
  /// The system disconnects the scene, or the process ends: the session is destroyed with it.
  public static let systemDisconnection = SceneDestructionCondition(bit: 2)
}

/// Why a request ends a session; observers see it as the reason of the discard
/// (semantics#destruction-and-discard).
public enum SceneDestructionReason: UInt8, Sendable, Hashable {
  /// The user asked for the content to go.
  case standard = 1
  /// The purpose of the session was fulfilled.
  case commit = 2
  /// The purpose of the session was not fulfilled for now.
  case decline = 3
}
