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
  /// It is captured when the scene enters the background, again before a disconnect if it was
  /// marked since (R-DIS-3), and as early as ``durability`` asks for: at once when the callback has
  /// returned, or within a duration.
  public func setNeedsCapture() {
    lifecycle.owesCapture = true
    guard !marks[.isDirty] else { return }
    marks[.isDirty] = true
    switch promise {
    case .onDisconnect: break
    case .everyEvent: if !marks[.isBusy] { context.signal(.changed, slot) }
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
    if !marks[.isBusy] { context.signal(.changed, slot) }
  }

  /// How many effects of a scene may wait.
  static let effectLimit = 65_536

  /// What was promised about the state.
  var promise: Durability {
    extras?.durability ?? context.rules.promise(configuration.role)
  }

  /// The last input of each client that was applied.
  var clients: ClientMemory { extras?.clients ?? details.clients }

  /// Whether effects wait until the state is durable.
  var hasEffects: Bool { extras?.hasEffects ?? false }

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

  /// Takes over the state that the store has answered with.
  func take(_ stored: RestoredState) {
    marks[.isStateWithheld] = false
    let nextWake = details.nextWake
    details.takeStored(stored)
    if details.nextWake != nextWake { marks[.isRowTaken] = false }
    markChanged()
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
