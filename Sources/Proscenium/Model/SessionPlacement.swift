// SPDX-License-Identifier: Apache-2.0

/// What decides where a new session is made: its group, or else its owner, or else the content that
/// it is made for.
package struct SessionPlacement: Sendable, Equatable {
  package var group: SceneGroup?
  package var owner: String?
  /// A target content identifier.
  package var content: String?

  /// Creates a placement; without anything the session is made anywhere.
  package init(group: SceneGroup? = nil, owner: String? = nil, content: String? = nil) {
    self.group = group
    self.owner = owner
    self.content = content
  }
}
