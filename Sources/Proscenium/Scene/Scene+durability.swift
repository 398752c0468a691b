// SPDX-License-Identifier: Apache-2.0

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
