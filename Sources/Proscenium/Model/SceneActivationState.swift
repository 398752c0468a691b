// SPDX-License-Identifier: Apache-2.0

/// How near a scene is to its user.
///
/// The raw values are UIKit's. Their order is no order of activity: never compare them (R-ACT-1).
public enum SceneActivationState: Int8, Sendable, Hashable {
  /// Not connected yet, or no longer (R-ACT-2).
  case unattached = -1
  /// In the foreground and receiving events.
  case foregroundActive = 0
  /// In the foreground, not receiving events.
  case foregroundInactive = 1
  /// Not on the screen.
  case background = 2
}

/// How near the application is to its user: as near as its nearest scene (R-AGG-1).
public enum ApplicationState: Int, Sendable, Hashable {
  /// A scene is active.
  case active = 0
  /// A scene is in the foreground, none is active.
  case inactive = 1
  /// No scene is in the foreground.
  case background = 2
}
