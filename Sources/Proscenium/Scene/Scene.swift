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

  let shard: Shard
  let slot: Int32
  /// How many decisions had been taken about the session when the scene was connected.
  let decisions: UInt32
  let configuration: UInt16
  var lifecycle = SceneLifecycle()
  private nonisolated let visibleState = Atomic<Int8>(ActivationState.unattached.rawValue)
  var marks = Marks([.isShown, .isRowTaken, .isStateTaken])
  var details: SessionDetails
  /// What few scenes have.
  var extras: SceneExtras?
  /// Whom the runtime calls: the delegate, or what stands before it.
  var callee: (any SceneDelegate)?

  init(
    application: Application, shard: Shard, slot: Int32, entry: ShardMailbox.Entry,
    decisions: UInt32, becomesActive: Bool
  ) {
    self.application = application
    self.shard = shard
    self.slot = slot
    self.decisions = decisions
    persistentIdentifier = entry.identifier
    configuration = entry.configuration
    details = entry.details
    if entry.isStateUnsaved { marks[.isStateTaken] = false }
    if entry.isStateStored { marks[.isStateWithheld] = true }
    lifecycle.becomesActive = becomesActive
  }

  /// The executor of the scene's shard.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe shard.unownedExecutor
  }

  /// What is true or false of a scene.
  struct Marks: OptionSet {
    var rawValue: UInt16
    /// Nothing changed since it was last shown.
    static let isShown = Marks(rawValue: 1)
    /// Nothing that stands in the open changed since it was last taken for the store.
    static let isRowTaken = Marks(rawValue: 2)
    /// The saved state did not change since it was last taken for the store.
    static let isStateTaken = Marks(rawValue: 4)
    /// A callback runs, and what it changes is made known when it has returned.
    static let isBusy = Marks(rawValue: 8)
    /// Set by the default implementations of the delegate's methods.
    static let isUnhandled = Marks(rawValue: 16)
    /// The program has marked the state since it was last captured.
    static let isDirty = Marks(rawValue: 32)
    /// The state was captured because of a mark or an effect.
    static let isPrompt = Marks(rawValue: 64)
    /// The last state that was captured, or set, is not kept.
    static let isRefused = Marks(rawValue: 128)
    /// The store has a saved state that could not be read yet: what is kept here goes over it.
    static let isStateWithheld = Marks(rawValue: 256)

    subscript(_ mark: Marks) -> Bool {
      get { contains(mark) }
      set { rawValue = newValue ? rawValue | mark.rawValue : rawValue & ~mark.rawValue }
    }
  }

  /// Set by the default implementations of the delegate's methods.
  package var isUnhandled: Bool {
    get { marks[.isUnhandled] }
    set { marks[.isUnhandled] = newValue }
  }

  /// How near the scene is to its user; readable from anywhere.
  ///
  /// In a `will…` callback it is the state before the transition, in a `did…` callback the one
  /// after it (R-ACT-3).
  public nonisolated var activationState: ActivationState {
    ActivationState(rawValue: visibleState.load(ordering: .relaxed)) ?? .unattached
  }

  /// The session that the scene is connected to.
  public var session: SceneSession {
    let (configuration, hasPendingRefresh) = shard.sessionParts(slot, configuration)
    return SceneSession(
      persistentIdentifier: persistentIdentifier, configuration: configuration, details: details,
      stored: nil, hasPendingRefresh: hasPendingRefresh)
  }

  /// Changes what the session holds, and sees to it that it is made known.
  func change(_ body: (inout SessionDetails) -> Void) {
    let before = details
    body(&details)
    // What a scene that is gone is given is nobody's any more.
    guard !details.isIdentical(to: before), !lifecycle.isEnded || marks[.isBusy] else { return }
    if !marks[.isBusy], marks[.isShown], lifecycle.state != .unattached { visitLater() }
    marks[.isShown] = false
    let parts = details.differences(from: before)
    if parts.contains(.row) { marks[.isRowTaken] = false }
    if parts.contains(.state) {
      // What was sealed in this callback is not what there is now.
      if !marks[.isStateTaken] { _ = shard.sealer.takeCaptured() }
      marks[.isStateTaken] = false
    }
  }

  /// Comes back to the scene: something was set from outside a callback, and nothing else will come
  /// to make it known.
  func visitLater() {
    let update = SessionUpdate(ticket: nil, .untouched) { _ in }
    shard.mailbox.post(ShardItem(slot: slot, work: .update(update)))
  }

  // MARK: - What the shard asks for

  /// What a plan has come to: what is to be stored, and what holds it up if it is not done.
  struct Progress: Sendable {
    var changes: SceneChanges?
    var hold: Hold?
    /// Of a scene that has ended: whether the store has its state, or is about to get it.
    var isKept = true
  }

  /// What a plan waits for on its way.
  enum Hold: UInt8, Sendable {
    /// An extended restoration (R-EXT-1).
    case restoration
    /// The application delegate, which is given a notification's response first (section 3.5); the
    /// plan goes on as soon as it is free.
    case application
  }

  /// Brings the scene to a goal, callback by callback.
  ///
  /// - Parameters:
  ///   - goal: Where the scene is to be.
  ///   - cargo: What is to be delivered on the way.
  ///   - isContinued: Whether the plan was held up and goes on.
  /// - Returns: What is to be stored, and what holds the plan up.
  func perform(
    _ goal: SceneLifecycle.Goal, _ cargo: Plan.Cargo? = nil, isContinued: Bool = false
  ) -> Progress {
    marks[.isBusy] = true
    if !isContinued { begin(goal, cargo) }
    while true {
      lifecycle.arrive()
      if let change = showState() { shard.announce(change) }
      guard !shard.core.isAbandoned, let action = lifecycle.next(toward: goal) else { break }
      let change = showState()
      let hold = perform(action, cargo)
      show()
      if shard.isHeard(.states), let notification = action.notification {
        shard.report(persistentIdentifier, .notification(notification), on: .states)
      }
      if let change { shard.announce(change) }
      if let hold { return Progress(changes: takeChanges(), hold: hold) }
    }
    let changes = takeChanges()
    return Progress(
      changes: changes, hold: lifecycle.isHeld(toward: goal) ? .restoration : nil,
      isKept: !lifecycle.isEnded || isKept)
  }

  private func begin(_ goal: SceneLifecycle.Goal, _ cargo: Plan.Cargo?) {
    let dances = goal == .refreshed && shard.core.dances
    lifecycle.begin(
      goal, hasDelivery: cargo?.hasDelivery ?? false,
      isAnnouncement: cargo?.isAnnouncement ?? false,
      dances: dances)
  }

  /// Gives the delegate a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - captures: Whether the state is captured afterwards in any case.
  /// - Returns: What is to be stored.
  func receive(_ message: SceneMessage, captures: Bool = false) -> SceneChanges? {
    marks[.isBusy] = true
    isUnhandled = false
    callee?.scene(self, didReceive: message)
    if isUnhandled || callee == nil { reportUnhandled() }
    if captures { captureState(isPrompt: true) }
    return takeChanges()
  }

  /// Asks the delegate for a reply.
  ///
  /// - Returns: The reply, or nil if the delegate does not answer calls, and what is to be stored.
  func reply(to message: SceneMessage) -> (SceneMessage?, SceneChanges?) {
    marks[.isBusy] = true
    isUnhandled = false
    let reply = callee?.scene(self, replyTo: message)
    if isUnhandled || callee == nil {
      reportUnhandled()
      return (nil, takeChanges())
    }
    return (reply, takeChanges())
  }

  /// Lets a function work on the scene between two items of its shard.
  ///
  /// - Returns: What is to be stored.
  func visit(_ body: @Sendable (isolated Scene) -> Void) -> SceneChanges? {
    marks[.isBusy] = true
    body(self)
    return takeChanges()
  }

  @inline(__always)
  private func takeChanges() -> SceneChanges? {
    let quiet: Marks = [.isShown, .isRowTaken, .isStateTaken]
    // The usual case in one look: nothing changed.
    if marks.subtracting([.isBusy, .isUnhandled, .isRefused, .isStateWithheld]) == quiet,
      extras == nil
    {
      marks[.isBusy] = false
      return nil
    }
    captureIfPromised()
    marks[.isBusy] = false
    // What is sealed may have brought back what was withheld, which is shown as well.
    let changes = takeStoreChanges()
    show()
    return changes
  }

  /// Makes what a callback changed visible to readers and to routing.
  @inline(__always)
  private func show() {
    guard !marks[.isShown] else { return }
    marks[.isShown] = true
    shard.show(details, slot)
  }

  /// Makes a new state visible, and counts the scene.
  ///
  /// - Returns: How the application's state changed by it.
  @inline(__always)
  private func showState() -> ApplicationTally.Change? {
    let before = activationState
    let after = lifecycle.state
    guard before != after else { return nil }
    visibleState.store(after.rawValue, ordering: .relaxed)
    shard.report(persistentIdentifier, .transition(from: before, to: after), on: .states)
    return shard.move(from: before, to: after, isCounted: !lifecycle.isDancing)
  }

  /// Performs an action; returns what has to happen elsewhere before the plan can go on.
  private func perform(_ action: SceneLifecycle.Action, _ cargo: Plan.Cargo?) -> Hold? {
    switch action {
    case .connect: connect(cargo?.delivery)
    case .restoreInteractionState:
      if let activity = details.stateRestorationActivity {
        callee?.scene(self, restoreInteractionStateWith: activity)
      }
    case .willEnterForeground: callee?.sceneWillEnterForeground(self)
    case .deliverEvent:
      return cargo?.delivery.flatMap { deliver($0) }
    case .didBecomeActive: callee?.sceneDidBecomeActive(self)
    case .willResignActive: callee?.sceneWillResignActive(self)
    case .didEnterBackground: callee?.sceneDidEnterBackground(self)
    case .captureState: captureState()
    case .takeSnapshots: takeSnapshots()
    case .didDisconnect: disconnect()
    }
    return nil
  }

  private func connect(_ delivery: Delivery?) {
    var event = delivery?.event
    if case .wake? = delivery { event = takeDueWake().map { .activity($0.activity) } }
    // Looked at here, by most delegates, and once more for the restoration.
    details.decodeActivity()
    let session = session
    delegate = session.configuration.makeDelegate?()
    lifecycle.owesRestoration = details.stateRestorationActivity != nil
    if case .handoff(let type, _) = event { announce(type) }
    callee?.scene(self, willConnectTo: session, options: ConnectionOptions(event))
  }

  private func disconnect() {
    callee?.sceneDidDisconnect(self)
    extras = extras?.end()
    callee = nil
  }

  func reportUnhandled() {
    shard.diagnose(.unhandledEvent, persistentIdentifier)
  }
}

extension SceneLifecycle.Action {
  /// What UIKit posts after the callback (R-FG-1).
  fileprivate var notification: LifecycleEvent.SceneNotification? {
    switch self {
    case .connect: .willConnect
    case .willEnterForeground: .willEnterForeground
    case .didBecomeActive: .didActivate
    case .willResignActive: .willDeactivate
    case .didEnterBackground: .didEnterBackground
    case .didDisconnect: .didDisconnect
    case .restoreInteractionState, .deliverEvent, .captureState, .takeSnapshots: nil
    }
  }
}
