// SPDX-License-Identifier: Apache-2.0

// What is changed from outside a callback.
extension Scene {
  /// Makes an update of what the session holds.
  ///
  /// - Returns: What is to be stored.
  /// - Throws: What the update throws, `notPropertyList` or `limitExceeded`; then nothing has
  ///   changed.
  func carryOut(_ update: SessionUpdate) throws(SceneError) -> SceneChanges? {
    if update.durable != nil { try takeWithheldState() }
    var session = session
    try update.change(&session)
    let changed = session.details
    try checkSettings(changed.userInfo)
    if update.durable != nil { try checkSize(of: changed) }
    return visit { scene in
      scene.change { $0 = changed }
      if update.use == .dropped {
        // What was withheld is dropped as well.
        scene.dropWithheldState()
      }
      if update.use == .untouched, !scene.details.isLocked { try? scene.takeWithheldState() }
    }
  }

  /// Checks that what a session would hold is within the limits.
  ///
  /// - Throws: `limitExceeded`.
  func checkSize(of details: SessionDetails) throws(SceneError) {
    try context.sealer.check(context.rules.storable(details).state, of: persistentIdentifier)
  }
}
