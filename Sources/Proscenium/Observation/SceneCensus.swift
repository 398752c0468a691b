// SPDX-License-Identifier: Apache-2.0

/// How many open sessions have a scene in which state, and how many have none.
package struct SceneCensus: Sendable, Hashable {
  /// Scenes that are in the foreground and active.
  package var active = 0

  /// Scenes that are in the foreground and not active.
  package var inactive = 0

  /// Scenes that are in the background.
  package var background = 0

  /// Sessions without a scene.
  package var disconnected = 0

  /// Creates the census of an application without sessions.
  package init() {}
}
