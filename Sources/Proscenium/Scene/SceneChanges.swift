// SPDX-License-Identifier: Apache-2.0

/// What the store is to be told of what a scene's callbacks did.
struct SceneChanges: Sendable {
  let details: SessionDetails
  /// Whether something changed that stands in the open.
  var isRowChanged = false
  /// The saved state, if it changed, sealed.
  var sealed: [UInt8]?
  /// What waits until all of it is durable.
  var effects: [@Sendable () -> Void] = []
  /// Whether the scene was captured since it was marked, and not because it leaves.
  var isPrompt = false

  init(_ details: SessionDetails) {
    self.details = details
  }
}
