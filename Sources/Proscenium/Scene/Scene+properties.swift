// SPDX-License-Identifier: Apache-2.0

// What a program reads and sets.
extension Scene {
  /// The object that is told what happens to the scene; it may be replaced at any time (R-ID-4).
  ///
  /// A scene whose configuration names no class that the manifest knows has none (R-CFG-3). The
  /// runtime lets go of it at the disconnect.
  public var delegate: (any SceneDelegate)? {
    get {
      guard context.rules.makeFront != nil else { return callee }
      var delegate = callee
      while let front = delegate as? any SceneDelegateFront { delegate = front.delegate }
      return delegate
    }
    set {
      callee = newValue.map { context.rules.makeFront?($0) ?? $0 }
      // A front passes the calls of both protocols on.
      let isStateful = newValue is any StatefulSceneDelegate
      stateCallee = isStateful ? callee as? any StatefulSceneDelegate : nil
    }
  }

  /// Which content the session can and would rather show.
  ///
  /// Routing sees a change when the callback that made it has returned.
  public var activationConditions: SceneActivationConditions {
    get { details.activationConditions }
    set { change { $0.activationConditions = newValue } }
  }

  /// What ends the session besides a request (R-DC-1); nothing unless set.
  public var destructionConditions: Set<DestructionCondition> {
    get { details.destructionConditions }
    set { change { $0.destructionConditions = newValue } }
  }

  /// The title, or `nil`; an empty one is none.
  public var title: String? {
    get { details.title }
    set { change { $0.title = newValue.flatMap { $0.isEmpty ? nil : $0 } } }
  }

  /// The second line of the title, or `nil`; an empty one is none.
  public var subtitle: String? {
    get { details.subtitle }
    set { change { $0.subtitle = newValue.flatMap { $0.isEmpty ? nil : $0 } } }
  }

  /// Small settings of the session, kept with it; property-list values only.
  ///
  /// A dictionary that holds another value is refused: the old one stays, and `notPropertyList` is
  /// reported as a ``LifecycleEvent/Kind/failed(_:)`` event.
  public var userInfo: [String: UserInfoValue]? {
    get { details.userInfo }
    set {
      do throws(SceneError) {
        try context.check(settings: newValue, of: persistentIdentifier)
        change { $0.userInfo = newValue }
      } catch {
        context.events.report(persistentIdentifier, .failed(error))
      }
    }
  }

  /// What the user is doing in the scene now, for the delegate's own use; it is not kept.
  ///
  /// By custom `stateRestorationActivity(for:)` returns it.
  public var userActivity: UserActivity? {
    get { extras?.userActivity }
    set {
      if newValue == nil, extras == nil { return }
      ensureExtras().userActivity = newValue
    }
  }

  /// The name of the scene's class, as its configuration has it.
  public var sceneClass: String {
    session.configuration.sceneClass ?? SceneConfiguration.defaultSceneClass
  }

  /// Holds the scene's way to the foreground until ``completeStateRestoration()`` (R-EXT-1).
  ///
  /// For work that has to be done before the user sees the scene; it is called while the scene
  /// connects or restores its state. Each call needs one of ``completeStateRestoration()``. If they
  /// do not come within ``ApplicationSettings/restorationLimit``, counted from the first call, the
  /// scene is disconnected, its saved state is dropped, and the request fails with
  /// `restorationTimedOut`. Requests for the session that come later wait; those for other sessions
  /// go on. Once the scene has been in the foreground, the call does nothing.
  public func extendStateRestoration() {
    guard lifecycle.extend() else { return }
    showState()
    context.services.deadlines.beginRestoration(
      of: self, context.handle(slot), limit: context.rules.restorationLimit)
  }

  /// Completes one extension of the restoration; the last one lets the scene go on.
  ///
  /// A call without a matching ``extendStateRestoration()`` does nothing.
  public func completeStateRestoration() {
    guard lifecycle.complete() else { return }
    showState()
    context.signal(.restored, slot)
  }

  /// Tells that the delegate does not have the method that was just called.
  ///
  /// For a delegate that has all methods and decides at run time which of them it has; the default
  /// implementations say the same.
  package func leaveUnhandled() {
    isUnhandled = true
  }
}

// What a scene says about its memory; it holds for this connection.
extension Scene {
  /// Whether a ``DisconnectionPolicy`` spares the scene.
  ///
  /// For work that cannot be captured, such as a transfer. What the host disconnects goes all the
  /// same.
  public var keepsConnected: Bool {
    get { hints.keepsConnected }
    set { changeHints { $0.keepsConnected = newValue } }
  }

  /// Has a ``DisconnectionPolicy`` spare the scene for a time.
  ///
  /// - Parameter duration: How long from now on; it replaces what is left of an earlier one, so
  ///   that zero or less ends it.
  public func delayDisconnection(for duration: Duration) {
    let end = duration > .zero ? context.services.elapsed() + duration : nil
    changeHints { $0.delayedUntil = end }
  }

  /// How many bytes the scene declares to take, or `nil` for
  /// ``DisconnectionPolicy/memoryCost``: 0 to 68,719,476,736, more counts as that.
  ///
  /// It counts where ``DisconnectionPolicy/memory`` is ``MemoryPressureSource/declared``.
  public var memoryCost: Int? {
    get { hints.memoryCost }
    set {
      let cost = newValue.map { min(max($0, 0), 1 << 36) }
      changeHints { $0.memoryCost = cost }
    }
  }

  /// What the scene has said so far.
  var hints: ConnectionHints { extras?.hints ?? ConnectionHints() }

  /// Changes what the scene says; a scene that has ended says nothing.
  private func changeHints(_ change: (inout ConnectionHints) -> Void) {
    var changed = hints
    change(&changed)
    guard !lifecycle.isEnded, extras != nil || changed != ConnectionHints() else { return }
    context.tally.setCost(from: hints.memoryCost, to: changed.memoryCost)
    ensureExtras().hints = changed
  }

  /// Takes back what the scene said, since it ends.
  func dropHints() {
    context.tally.setCost(from: hints.memoryCost, to: nil)
    extras?.hints = ConnectionHints()
  }
}
