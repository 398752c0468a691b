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
    if captured == nil, details.isLocked || marks[.isStateWithheld] {
      // What the scene has done since is in no state: it is not durable.
      marks[.isRefused] = true
      return context.events.report(persistentIdentifier, .captured(isChanged: false), on: .captures)
    }
    if captured != nil { complete(&captured, delegate) }
    do throws(SceneError) {
      let isChanged = try keep(captured?.forSaving)
      context.events.report(persistentIdentifier, .captured(isChanged: isChanged), on: .captures)
    } catch {
      refuse(error)
    }
  }

  /// Keeps a captured activity; returns whether the state is another one than before.
  ///
  /// - Throws: `limitExceeded`, `notDurable`, or whatever keeps a locked state from being read.
  private func keep(_ activity: UserActivity?) throws(SceneError) -> Bool {
    // What could not be read is not written over.
    try takeWithheldState()
    if let type = activity?.activityType, !context.rules.isDeclared(type) {
      return try keepUndeclared(activity, type)
    }
    let wasLocked = details.isLocked
    let state = SavedState(
      activity: activity, userInfo: details.userInfo, snapshots: details.snapshots,
      wakeList: details.wakeList)
    if state.isEmpty, !details.hasState { return false }
    let before = details.encodedState
    // A state that was restored or set is compared as it is, and only if it might be the same.
    if before == nil, details.savedActivity == activity {
      if wasLocked { change { $0.isLocked = false } }
      return false
    }
    guard
      let sealed = try context.sealer.seal(state, of: persistentIdentifier, unless: before)
    else { return false }
    if state.isEmpty {
      change { $0.stateRestorationActivity = nil }
    } else {
      details.encodedState = sealed.encoded
      markChanged()
      marks[.isStateTaken] = false
    }
    captured = CapturedState(sealed.bytes, of: activity)
    return true
  }

  /// R-SR-5: an activity of an undeclared type is kept while the process runs, and not stored.
  private func keepUndeclared(
    _ activity: UserActivity?, _ type: String
  ) throws(SceneError) -> Bool {
    var candidate = details
    candidate.stateRestorationActivity = activity
    let isChanged = !candidate.isIdentical(to: details)
    if isChanged {
      let sealed = try sealed(candidate)
      change { $0 = candidate }
      captured = CapturedState(sealed, of: activity)
    }
    context.events.diagnose(.undeclaredActivityType(type), persistentIdentifier)
    return isChanged
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
    if let variants = context.rules.snapshotVariants {
      for variant in variants { takeSnapshot(variant) }
    } else {
      takeSnapshot(nil)
    }
    context.events.report(persistentIdentifier, .settledInBackground, on: .snapshots)
  }

  /// Lets go of variants that the settings named once.
  private func dropOldVariants() {
    let names = context.rules.snapshotVariants ?? [""]
    change { details in
      details.snapshots = details.snapshots.filter { names.contains($0.key) }
    }
  }

  private func takeSnapshot(_ variant: String?) {
    let bytes = callee?.snapshot(for: self, variant: variant)
    context.events.report(persistentIdentifier, .snapshotTaken(variant: variant), on: .snapshots)
    guard let bytes else { return }
    guard bytes.count <= SceneSession.snapshotSizeLimit else {
      context.events.diagnose(.snapshotTooLarge(bytes: bytes.count), persistentIdentifier)
      return
    }
    let activity = captured?.activity
    change { $0.setSnapshot(bytes, of: variant ?? "", beside: activity) }
  }
}
