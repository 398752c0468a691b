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

// When the state is captured, and what waits until it is durable.
extension Scene {
  /// When the scene's state is captured, or nil for what the settings say of its role.
  ///
  /// It holds for this connection: a delegate that wants another sets it in
  /// `scene(_:willConnectTo:options:)`.
  public var durability: Durability? {
    get { extras?.durability }
    set {
      if newValue == nil, extras == nil { return }
      ensureExtras().durability = newValue
    }
  }

  /// Marks the state as changed since it was last captured.
  ///
  /// It is captured when the scene enters the background, once more before a disconnect if it was
  /// marked since (R-DIS-3), and as early as ``durability`` asks for: at once when the callback has
  /// returned, or within a duration.
  public func setNeedsCapture() {
    lifecycle.owesCapture = true
    guard !marks[.isDirty] else { return }
    marks[.isDirty] = true
    switch promise {
    case .onDisconnect: break
    case .everyEvent: if !marks[.isBusy] { visitLater() }
    case .within(let duration):
      context.services.deadlines.beginCapture(
        of: self, context.handle(slot), after: max(duration, .milliseconds(1)))
    }
  }

  /// Runs an effect once everything that the scene has done up to now is durable: the state as it
  /// is when the callback that calls this returns is captured and committed first.
  ///
  /// For what must not be seen outside before it is certain, such as an answer to a client. Effects
  /// of one scene run in the order of their calls. One whose state is lost never runs: with the
  /// process, with the session, or because the scene was disconnected before its state could be
  /// captured. While the store refuses a state, or it is larger than the limits, its effects wait.
  ///
  /// - Parameter effect: Called on the task that commits, or on the scene's executor if the store
  ///   is in memory. It must be short and must not block.
  public func afterDurable(_ effect: @escaping @Sendable () -> Void) {
    let extras = ensureExtras()
    guard extras.effects.count < Self.effectLimit else {
      return context.events.report(
        persistentIdentifier,
        .failed(
          SceneError(
            .limitExceeded, session: persistentIdentifier,
            "\(Self.effectLimit) effects wait for a state that is not durable; this one is dropped")
        ))
    }
    extras.effects.append(effect)
    lifecycle.owesCapture = true
    marks[.isDirty] = true
    if !marks[.isBusy] { visitLater() }
  }

  /// How many effects of a scene may wait.
  static let effectLimit = 65_536

  /// What was promised about the state.
  private var promise: Durability {
    extras?.durability ?? context.rules.promise(configuration.role)
  }

  /// Captures the state that was marked, because its time has come.
  func captureIfMarked() -> SceneChanges? {
    guard marks[.isDirty], lifecycle.state != .unattached else { return nil }
    return visit { $0.captureState(isPrompt: true) }
  }

  /// Captures the state for what was done in the callback that is about to end.
  func captureIfPromised() {
    guard marks[.isDirty] || hasEffects, lifecycle.state != .unattached else { return }
    if hasEffects || promise == .everyEvent { captureState(isPrompt: true) }
  }

  /// Whether effects wait until the state is durable.
  private var hasEffects: Bool { extras.map { !$0.effects.isEmpty } ?? false }

  /// What the store is to be told, if anything.
  func takeStoreChanges() -> SceneChanges? {
    guard !marks[.isRowTaken] || !marks[.isStateTaken] || hasEffects else { return nil }
    var changes = SceneChanges(details)
    changes.isRowChanged = !marks[.isRowTaken]
    changes.isPrompt = marks[.isPrompt]
    marks[.isRowTaken] = true
    marks[.isPrompt] = false
    if !marks[.isStateTaken] { seal(&changes) }
    if marks.isDisjoint(with: [.isDirty, .isRefused]), hasEffects {
      changes.effects = extras?.effects ?? []
      extras?.effects = []
    }
    return changes
  }

  /// Seals the state, unless its capture has done so; one that cannot be sealed stays to be taken.
  private func seal(_ changes: inout SceneChanges) {
    do throws(SceneError) {
      // What could not be read is not written over.
      try takeWithheldState()
      if let captured {
        changes.sealed = captured.sealed
      } else {
        changes.sealed = try sealed(details)
      }
      captured = nil
      marks[.isStateTaken] = true
    } catch {
      refuse(error)
    }
  }

  /// Seals what is kept of details.
  ///
  /// - Throws: `limitExceeded`, or `notDurable`.
  func sealed(_ details: SessionDetails) throws(SceneError) -> [UInt8] {
    try context.sealer.seal(context.rules.storable(details).state, of: persistentIdentifier)
  }

  /// Whether the last state that was captured, or set, is not kept.
  var isRefused: Bool { marks[.isRefused] }

  /// Whether the store is about to get the saved state, or has it.
  var isStateTaken: Bool { marks[.isStateTaken] }

  /// Whether the store has the state as it is here, or is about to get it.
  var isKept: Bool {
    marks[.isStateTaken] && context.rules.storable(details).isIdentical(to: details)
  }

  /// Takes over the state that could not be read when the scene connected (R-SR-6), if there is
  /// one.
  ///
  /// What has been set since stays.
  ///
  /// - Throws: `stateUnreadable` or `stateUnavailable`.
  func takeWithheldState() throws(SceneError) {
    guard marks[.isStateWithheld] else { return }
    guard let state = try context.services.states.readAtOnce(persistentIdentifier) else {
      context.signal(.needsState, slot)
      throw SceneError(
        .stateUnavailable, session: persistentIdentifier,
        "the saved state is still being read; it is captured again afterwards")
    }
    take(state)
  }

  private func take(_ stored: SavedState) {
    marks[.isStateWithheld] = false
    let nextWake = details.nextWake
    details.takeStored(stored)
    if details.nextWake != nextWake { marks[.isRowTaken] = false }
    markChanged()
  }

  /// Takes over the state that the store has answered with; what could not be kept without it is
  /// captured again.
  func takeWithheldStateOnShard(_ stored: SavedState) -> SceneChanges? {
    visit { scene in
      guard scene.marks[.isStateWithheld] else { return }
      scene.take(stored)
      guard scene.marks[.isRefused] else { return }
      scene.lifecycle.owesCapture = true
      scene.marks[.isDirty] = true
    }
  }

  /// Forgets the state that is withheld; that there is none is for the store to know.
  func dropWithheldState() {
    marks[.isStateWithheld] = false
    marks[.isStateTaken] = false
    markChanged()
  }

  /// Reports a state that is not kept; the last one that was stays.
  func refuse(_ error: SceneError) {
    marks[.isRefused] = true
    context.events.report(persistentIdentifier, .failed(error))
  }
}
