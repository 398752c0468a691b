// SPDX-License-Identifier: Apache-2.0

// State capture and the switcher's snapshots (section 2.4).
extension Scene {
  /// Asks the delegate for its state, seals it and keeps it.
  ///
  /// A state that cannot be sealed is reported and not kept, not even in memory: the last good one
  /// stays.
  func captureState(isPrompt: Bool = false) {
    guard let delegate = callee else { return }
    isUnhandled = false
    var captured = delegate.stateRestorationActivity(for: self)
    // What was marked while the delegate answered is in the answer.
    lifecycle.owesCapture = false
    marks[.isDirty] = false
    marks[.isRefused] = false
    if isPrompt { marks[.isPrompt] = true }
    guard !isUnhandled else { return }
    // R-SR-6: nothing to say while the saved state is withheld does not clear it.
    if captured == nil, details.isLocked {
      return shard.report(persistentIdentifier, .captured(isChanged: false))
    }
    if captured != nil { complete(&captured, delegate) }
    var candidate = details
    candidate.stateRestorationActivity = captured
    let isChanged = !candidate.isIdentical(to: details)
    if isChanged {
      guard let sealed = seal(candidate) else { return }
      change { $0 = candidate }
      shard.sealer.keep(sealed)
    }
    if let type = captured?.activityType, !shard.core.isDeclared(type) {
      shard.diagnose(.undeclaredActivityType(type), persistentIdentifier)
    }
    shard.report(persistentIdentifier, .captured(isChanged: isChanged))
  }

  private func seal(_ candidate: SessionDetails) -> [UInt8]? {
    do throws(SceneError) {
      // What could not be read is not written over.
      if details.isLocked { try takeLateState() }
      return try sealed(candidate)
    } catch {
      refuse(error)
      return nil
    }
  }

  /// R-BG-1: the activity is told, then everybody writes to it, then the delegate is told.
  private func complete(_ captured: inout UserActivity?, _ delegate: any SceneDelegate) {
    guard var activity = captured else { return }
    activity.willSave?(&activity)
    delegate.scene(self, captureInto: &activity)
    delegate.scene(self, didUpdate: activity)
    captured = activity
  }

  /// One pass for each variant that the settings name, or one without a name (R-BG-2).
  func takeSnapshots() {
    if !details.snapshots.isEmpty { dropOldVariants() }
    if let variants = shard.core.snapshotVariants {
      for variant in variants { takeSnapshot(variant) }
    } else {
      takeSnapshot(nil)
    }
    shard.report(persistentIdentifier, .settledInBackground)
  }

  /// Lets go of variants that the settings named once.
  private func dropOldVariants() {
    let names = shard.core.snapshotVariants ?? [""]
    change { details in
      details.snapshots = details.snapshots.filter { names.contains($0.key) }
    }
  }

  private func takeSnapshot(_ variant: String?) {
    let bytes = callee?.snapshot(for: self, variant: variant)
    shard.report(persistentIdentifier, .snapshotTaken(variant: variant))
    guard let bytes else { return }
    guard bytes.count <= SceneSession.snapshotSizeLimit else {
      shard.diagnose(.snapshotTooLarge(bytes: bytes.count), persistentIdentifier)
      return
    }
    change { $0.snapshots[variant ?? ""] = bytes }
  }
}
