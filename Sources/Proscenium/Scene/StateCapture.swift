// SPDX-License-Identifier: Apache-2.0

/// Asks a scene's delegate for its state, seals it and keeps it
/// (semantics#background-and-snapshots).
///
/// A state that cannot be sealed is reported and not kept, not even in memory: the last good one
/// stays.
struct StateCapture {
  /// Whether the state is captured because of a mark or an effect.
  var isPrompt = false

  func run(in scene: isolated Scene) {
    if let delegate = scene.stateCallee { return runByFields(delegate, in: scene) }
    guard let delegate = scene.callee else { return }
    scene.isUnhandled = false
    var captured = delegate.stateRestorationActivity(for: scene)
    noteAnswer(in: scene)
    guard !scene.isUnhandled else { return keepClients(in: scene) }
    if captured == nil, leavesWithheld(in: scene) { return }
    if captured != nil { complete(&captured, delegate, in: scene) }
    do throws(SceneError) {
      report(try keep(captured?.forSaving, in: scene), in: scene)
    } catch {
      scene.refuse(error)
    }
  }

  /// Lets a delegate write its state field by field.
  private func runByFields(_ delegate: any StatefulSceneDelegate, in scene: isolated Scene) {
    scene.context.sealer.withWriter { state in
      delegate.scene(scene, captureStateInto: &state)
      noteAnswer(in: scene)
      if state.isEmpty, leavesWithheld(in: scene) { return }
      do throws(SceneError) {
        report(try keep(state, in: scene), in: scene)
      } catch {
        scene.refuse(error)
      }
    }
  }

  /// What was marked while the delegate answered is in the answer.
  private func noteAnswer(in scene: isolated Scene) {
    scene.lifecycle.owesCapture = false
    scene.marks[.isDirty] = false
    scene.marks[.isRefused] = false
    if isPrompt { scene.marks[.isPrompt] = true }
  }

  /// R-SR-6: nothing to say while the saved state is withheld does not clear it.
  private func leavesWithheld(in scene: isolated Scene) -> Bool {
    guard scene.details.isLocked || scene.marks[.isStateWithheld] else { return false }
    // What the scene has done since is in no state: it is not durable.
    scene.marks[.isRefused] = true
    report(false, in: scene)
    return true
  }

  /// Captures a state that was marked, because its time has come.
  static func ifMarked(in scene: isolated Scene) -> SceneChanges? {
    guard scene.marks[.isDirty], scene.lifecycle.state != .unattached else { return nil }
    return scene.visit { StateCapture(isPrompt: true).run(in: $0) }
  }

  /// Captures the state for what was done in the callback that is about to end.
  static func ifPromised(in scene: isolated Scene) {
    guard scene.marks[.isDirty] || scene.hasEffects, scene.lifecycle.state != .unattached else {
      return
    }
    if scene.hasEffects || scene.promise == .everyEvent {
      StateCapture(isPrompt: true).run(in: scene)
    }
  }

  private func report(_ isChanged: Bool, in scene: isolated Scene) {
    scene.context.events.report(
      scene.persistentIdentifier, .captured(isChanged: isChanged), on: .captures)
  }

  /// Keeps the input that was applied with a state that the delegate does not capture.
  private func keepClients(in scene: isolated Scene) {
    guard let clients = scene.extras?.clients, clients != scene.details.clients else { return }
    scene.change { $0.clients = clients }
  }

  /// R-BG-1: the activity is told, then everybody writes to it, then the delegate is told.
  private func complete(
    _ captured: inout UserActivity?, _ delegate: any SceneDelegate, in scene: isolated Scene
  ) {
    guard var activity = captured else { return }
    activity.willSave?(&activity)
    delegate.scene(scene, captureInto: &activity)
    delegate.scene(scene, didUpdate: activity)
    captured = activity
  }

  /// Keeps a captured activity; returns whether the state is another one than before.
  ///
  /// - Throws: `limitExceeded`, `notDurable`, or what keeps a locked state from being read.
  private func keep(
    _ activity: UserActivity?, in scene: isolated Scene
  ) throws(SceneError) -> Bool {
    // What could not be read is not written over.
    try scene.takeWithheldState()
    if let type = activity?.activityType, !scene.context.rules.isDeclared(type) {
      return try keepUndeclared(activity, type, in: scene)
    }
    let details = scene.details
    // As a rule there are none that the details do not have.
    let clients = scene.extras?.clients
    let state = SavedState(
      activity: activity, userInfo: details.userInfo, snapshots: details.snapshots,
      wakeList: details.wakeList, clients: clients ?? details.clients)
    if state.isEmpty, !details.hasState { return false }
    let before = details.encodedState
    // A state that was restored or set is compared as it is, and only if it might be the same.
    let isNewInput = clients.map { $0 != details.clients } ?? false
    if before == nil, details.savedActivity == activity, !isNewInput {
      if details.isLocked { scene.change { $0.isLocked = false } }
      return false
    }
    guard
      let sealed = try scene.context.sealer.seal(
        state, of: scene.persistentIdentifier, unless: before)
    else { return false }
    if state.isEmpty {
      scene.change { $0.stateRestorationActivity = nil }
    } else {
      take(sealed, in: scene)
    }
    scene.captured = CapturedState(sealed.bytes, of: activity)
    return true
  }

  /// Keeps what a delegate has written; returns whether the state is another one than before.
  ///
  /// - Throws: As for an activity.
  private func keep(
    _ written: borrowing StateWriter, in scene: isolated Scene
  ) throws(SceneError) -> Bool {
    let type = written.activityType
    // What is not stored, or compared with a state that was set, is an activity as any other.
    let isPlain = scene.details.encodedState != nil || !scene.details.hasState
    if written.isEmpty
      || written.refusal == nil && !(isPlain && scene.context.rules.isDeclared(type))
    {
      return try keep(written.activity, in: scene)
    }
    try scene.takeWithheldState()
    let details = scene.details
    let rest = SavedState(
      activity: nil, userInfo: details.userInfo, snapshots: details.snapshots,
      wakeList: details.wakeList, clients: scene.clients)
    guard
      let sealed = try scene.context.sealer.seal(
        written, beside: rest, of: scene.persistentIdentifier, unless: details.encodedState)
    else { return false }
    take(sealed, in: scene)
    scene.captured = CapturedState(sealed.bytes, of: nil)
    return true
  }

  private func take(_ sealed: SavedStateSealer.Sealed, in scene: isolated Scene) {
    // Set before the encoding, which would be decoded for it.
    if let clients = scene.extras?.clients { scene.details.clients = clients }
    scene.details.encodedState = sealed.encoded
    scene.markChanged()
    scene.marks[.isStateTaken] = false
  }

  /// R-SR-5: an activity of an undeclared type is kept while the process runs, and not stored.
  private func keepUndeclared(
    _ activity: UserActivity?, _ type: String, in scene: isolated Scene
  ) throws(SceneError) -> Bool {
    var candidate = scene.details
    candidate.stateRestorationActivity = activity
    candidate.clients = scene.clients
    let isChanged = !candidate.isIdentical(to: scene.details)
    if isChanged {
      let sealed = try scene.context.sealed(candidate, of: scene.persistentIdentifier)
      scene.change { $0 = candidate }
      scene.captured = CapturedState(sealed, of: activity)
    }
    scene.context.events.diagnose(.undeclaredActivityType(type), scene.persistentIdentifier)
    return isChanged
  }
}

/// The switcher's snapshots: one pass for each variant that the settings name, or one without a
/// name (R-BG-2).
struct SnapshotPass {
  func run(in scene: isolated Scene) {
    let variants = scene.context.rules.snapshotVariants
    if !scene.details.snapshots.isEmpty {
      // Variants that the settings named once go.
      let names = variants ?? [""]
      scene.change { $0.snapshots = $0.snapshots.filter { names.contains($0.key) } }
    }
    if let variants {
      for variant in variants { take(variant, of: scene) }
    } else {
      take(nil, of: scene)
    }
    scene.context.events.report(scene.persistentIdentifier, .settledInBackground, on: .snapshots)
  }

  private func take(_ variant: String?, of scene: isolated Scene) {
    let (events, session) = (scene.context.events, scene.persistentIdentifier)
    let bytes = scene.callee?.snapshot(for: scene, variant: variant)
    events.report(session, .snapshotTaken(variant: variant), on: .snapshots)
    guard let bytes else { return }
    guard bytes.count <= SceneSession.snapshotSizeLimit else {
      return events.diagnose(.snapshotTooLarge(bytes: bytes.count), session)
    }
    let activity = scene.captured?.activity
    scene.change { $0.setSnapshot(bytes, of: variant ?? "", beside: activity) }
  }
}
