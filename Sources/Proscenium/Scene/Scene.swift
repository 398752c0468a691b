// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One connected instance of a session: an actor that runs its delegate's callbacks.
///
/// A scene exists while it is connected; reconnecting makes a new one for the same session
/// (R-ID-5). Scenes do not have executors of their own: each borrows that of its shard, so that
/// reaching it wakes no thread. Inside a callback, which receives the scene as `isolated`,
/// properties are read and set directly; from elsewhere with `await`.
public actor Scene {
  /// The application that the scene belongs to.
  public nonisolated let application: Application

  /// The session's identifier, readable from anywhere (R-ID-3).
  public nonisolated let persistentIdentifier: SessionIdentifier

  private let shard: Shard
  private let slot: Int32
  private let configuration: UInt16
  private var delegate: (any SceneDelegate)?
  private var lifecycle = SceneLifecycle()
  private nonisolated let visibleState = Atomic<Int8>(ActivationState.unattached.rawValue)
  private var hasChanges = false
  /// A callback runs, and what it changes is made known when it has returned.
  private var isBusy = false
  /// Set by the default implementations of the delegate's methods.
  var isUnhandled = false
  private var details: SessionDetails

  init(
    application: Application, shard: Shard, slot: Int32, identifier: SessionIdentifier,
    configuration: UInt16, becomesActive: Bool, details: SessionDetails
  ) {
    self.application = application
    self.shard = shard
    self.slot = slot
    persistentIdentifier = identifier
    self.configuration = configuration
    self.details = details
    lifecycle.becomesActive = becomesActive
  }

  /// The executor of the scene's shard.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe shard.unownedExecutor
  }

  // MARK: - What a program reads and sets

  /// How near the scene is to its user; readable from anywhere.
  ///
  /// In a `will…` callback it is the state before the transition, in a `did…` callback the one
  /// after it (R-ACT-3).
  public nonisolated var activationState: ActivationState {
    ActivationState(rawValue: visibleState.load(ordering: .relaxed)) ?? .unattached
  }

  /// The session that the scene is connected to.
  public var session: SceneSession {
    SceneSession(
      persistentIdentifier: persistentIdentifier,
      configuration: shard.core.catalog.configuration(configuration), details: details)
  }

  /// Which content the session can and would rather show.
  ///
  /// Routing sees a change when the callback that made it has returned.
  public var activationConditions: SceneActivationConditions {
    get { details.activationConditions }
    set { change { $0.activationConditions = newValue } }
  }

  /// The title, or `nil`; an empty one is none.
  public var title: String? {
    get { details.title }
    set { change { $0.title = newValue.flatMap { $0.isEmpty ? nil : $0 } } }
  }

  /// Small settings of the session, kept with it; property-list values only.
  public var userInfo: [String: PropertyListValue]? {
    get { details.userInfo }
    set { change { $0.userInfo = newValue } }
  }

  /// Marks the state as changed since it was last captured.
  ///
  /// The state is captured when the scene enters the background, and once more before a disconnect
  /// if it was marked since (R-DIS-3).
  public func setNeedsCapture() {
    lifecycle.owesCapture = true
  }

  private func change(_ body: (inout SessionDetails) -> Void) {
    let before = details
    body(&details)
    guard !details.isIdentical(to: before) else { return }
    if !isBusy, !hasChanges, lifecycle.state != .unattached {
      // Set from outside a callback: nothing else will come to make it known.
      shard.mailbox.post(ShardItem(slot: slot, work: .plan(Plan(goal: .unchanged))))
    }
    hasChanges = true
  }

  // MARK: - What the shard asks for

  /// Brings the scene to a goal, callback by callback.
  ///
  /// - Returns: The session's details if they changed.
  func perform(_ goal: SceneLifecycle.Goal, event: SceneEvent? = nil) -> SessionDetails? {
    isBusy = true
    lifecycle.begin(goal, hasEvent: event != nil)
    while let action = nextAction(toward: goal) {
      perform(action, event: event)
    }
    return takeChanges()
  }

  /// Gives the delegate a message.
  ///
  /// - Returns: The session's details if they changed.
  func receive(_ message: SceneMessage) -> SessionDetails? {
    isBusy = true
    isUnhandled = false
    delegate?.scene(self, didReceive: message)
    if isUnhandled || delegate == nil { reportUnhandled() }
    return takeChanges()
  }

  /// Asks the delegate for a reply.
  ///
  /// - Returns: The reply, or nil if the delegate does not answer calls, and the details if they
  ///   changed.
  func reply(to message: SceneMessage) -> (SceneMessage?, SessionDetails?) {
    isBusy = true
    isUnhandled = false
    let reply = delegate?.scene(self, replyTo: message)
    if isUnhandled || delegate == nil {
      reportUnhandled()
      return (nil, takeChanges())
    }
    return (reply, takeChanges())
  }

  @inline(__always)
  private func takeChanges() -> SessionDetails? {
    isBusy = false
    guard hasChanges else { return nil }
    hasChanges = false
    return details
  }

  private func nextAction(toward goal: SceneLifecycle.Goal) -> SceneLifecycle.Action? {
    lifecycle.arrive()
    showState()
    let action = lifecycle.next(toward: goal)
    showState()
    return action
  }

  @inline(__always)
  private func showState() {
    let before = activationState
    let after = lifecycle.state
    if before != after {
      visibleState.store(after.rawValue, ordering: .relaxed)
      shard.move(persistentIdentifier, from: before, to: after)
    }
  }

  private func perform(_ action: SceneLifecycle.Action, event: SceneEvent?) {
    switch action {
    case .connect: connect(event)
    case .restoreInteractionState:
      if let activity = details.stateRestorationActivity {
        delegate?.scene(self, restoreInteractionStateWith: activity)
      }
    case .willEnterForeground: delegate?.sceneWillEnterForeground(self)
    case .deliverEvent: deliver(event)
    case .didBecomeActive: delegate?.sceneDidBecomeActive(self)
    case .willResignActive: delegate?.sceneWillResignActive(self)
    case .didEnterBackground: delegate?.sceneDidEnterBackground(self)
    case .captureState: captureState()
    case .didDisconnect:
      delegate?.sceneDidDisconnect(self)
      delegate = nil
    }
  }

  private func connect(_ event: SceneEvent?) {
    let session = session
    delegate = session.configuration.makeDelegate?()
    lifecycle.owesRestoration = details.stateRestorationActivity != nil
    delegate?.scene(self, willConnectTo: session, options: ConnectionOptions(event))
  }

  private func deliver(_ event: SceneEvent?) {
    isUnhandled = false
    switch event {
    case .activity(let activity): delegate?.scene(self, continue: activity)
    case nil: return
    }
    if isUnhandled || delegate == nil { reportUnhandled() }
  }

  private func captureState() {
    guard let delegate else { return }
    isUnhandled = false
    let activity = delegate.stateRestorationActivity(for: self)
    // What was marked while the delegate answered is in the answer.
    lifecycle.owesCapture = false
    guard !isUnhandled else { return }
    let before = details
    details.stateRestorationActivity = activity
    let isChanged = !details.isIdentical(to: before)
    if isChanged { hasChanges = true }
    shard.report(persistentIdentifier, .captured(isChanged: isChanged))
  }

  private func reportUnhandled() {
    shard.report(persistentIdentifier, .unhandled)
  }
}
