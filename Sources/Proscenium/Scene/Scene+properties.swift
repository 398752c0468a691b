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
    }
  }

  /// Which content the session can and would rather show.
  ///
  /// Routing sees a change when the callback that made it has returned.
  public var activationConditions: SceneActivationConditions {
    get { details.activationConditions }
    set { change { $0.activationConditions = newValue } }
  }

  /// What ends the session beside a request (R-DC-1); nothing unless set.
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
        try checkSettings(newValue)
        change { $0.userInfo = newValue }
      } catch {
        shard.report(persistentIdentifier, .failed(error))
      }
    }
  }

  /// Checks that a property list can hold what is to be the session's `userInfo` (R-SR-9).
  ///
  /// - Throws: `notPropertyList`.
  func checkSettings(_ userInfo: [String: UserInfoValue]?) throws(SceneError) {
    guard let entry = userInfo?.first(where: { !$0.value.isPropertyList }) else { return }
    throw SceneError(
      .notPropertyList, session: persistentIdentifier,
      "expected values of property lists in userInfo, found a null, a set or a URL under "
        + SavedStateError.shortened(entry.key))
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

  /// Refuses: a scene without a display has no geometry (section 1.14).
  ///
  /// - Throws: `geometryRequestUnsupported`, always.
  public nonisolated func requestGeometryUpdate() throws(SceneError) {
    throw SceneError(
      .geometryRequestUnsupported, session: persistentIdentifier,
      "a scene of this runtime has no display, and no geometry")
  }
}
