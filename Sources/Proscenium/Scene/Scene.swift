// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One connected instance of a session: an actor that runs its delegate's callbacks.
///
/// A scene exists while it is connected; reconnecting makes a new one for the same session
/// (R-ID-5). Scenes do not have executors of their own: each borrows that of its shard, so that
/// reaching it wakes no thread. Inside a callback, which receives the scene as `isolated`,
/// properties are read and set directly; from elsewhere with `await`.
public actor Scene {
  /// The session's identifier, readable from anywhere (R-ID-3).
  public nonisolated let persistentIdentifier: SessionIdentifier

  let context: SceneContext
  let slot: Int32
  /// The decision that connected the scene.
  let decisions: DecisionClock
  let configuration: SceneConfiguration
  var lifecycle = SceneLifecycle()
  private nonisolated let visible = Atomic<UInt8>(Visible(.unattached).rawValue)
  var marks = Marks([.isShown, .isRowTaken, .isStateTaken])
  var details: SessionDetails
  /// The state that the running callback has captured, with its activity, if it still holds.
  var captured: CapturedState?
  /// What few scenes have.
  var extras: SceneExtras?
  /// Whom the runtime calls: the delegate, or the front before it.
  var callee: (any SceneDelegate)?
  /// The same, if it writes and reads fields.
  var stateCallee: (any StatefulSceneDelegate)?

  init(
    _ identifier: SessionIdentifier, _ configuration: SceneConfiguration,
    _ details: SessionDetails, context: SceneContext, slot: Int32, decisions: DecisionClock,
    isStateUnsaved: Bool, isStateWithheld: Bool
  ) {
    persistentIdentifier = identifier
    self.configuration = configuration
    self.details = details
    self.context = context
    self.slot = slot
    self.decisions = decisions
    if isStateUnsaved { marks[.isStateTaken] = false }
    if isStateWithheld { marks[.isStateWithheld] = true }
    lifecycle.becomesActive = configuration.role.becomesActive
  }

  /// The executor of the scene's shard.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe context.lease.executor
  }

  /// What is true or false of a scene.
  struct Marks: MarkSet {
    var rawValue: UInt16
    /// Nothing changed since it was last shown.
    static let isShown = Marks(rawValue: 1)
    /// Nothing that is in the open changed since it was last taken for the store.
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
  public nonisolated var activationState: ActivationState { seen.state }

  /// Whether the restoration is extended and not complete (R-EXT-1); readable from anywhere.
  nonisolated var isRestoring: Bool { seen.isRestoring }

  private nonisolated var seen: Visible { Visible(rawValue: visible.load(ordering: .relaxed)) }

  /// What is readable of a scene from anywhere.
  struct Visible: RawRepresentable {
    let rawValue: UInt8

    init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    init(_ state: ActivationState, isRestoring: Bool = false) {
      rawValue = UInt8(state.rawValue + 1) | (isRestoring ? 128 : 0)
    }

    var state: ActivationState {
      ActivationState(rawValue: Int8(rawValue & 127) - 1) ?? .unattached
    }

    var isRestoring: Bool { rawValue & 128 != 0 }
  }

  /// The session that the scene is connected to.
  public var session: SceneSession {
    SceneSession(
      persistentIdentifier: persistentIdentifier, configuration: configuration, details: details,
      stored: nil, hasPendingRefresh: context.hasPendingRefresh(slot))
  }

  /// Changes what the session holds, and sees to it that it is made known.
  func change(_ body: (inout SessionDetails) -> Void) {
    let before = details
    body(&details)
    // Changes that are made after the scene has disconnected are ignored.
    guard !details.isIdentical(to: before), !lifecycle.isEnded || marks[.isBusy] else { return }
    markChanged()
    let parts = details.differences(from: before)
    if parts.contains(.row) { marks[.isRowTaken] = false }
    if parts.contains(.state) {
      // What was sealed in this callback is not what there is now.
      captured = nil
      marks[.isStateTaken] = false
    }
  }

  /// Sees to it that changed details are made known: at the end of the callback, or by a visit if
  /// something was set from outside a callback.
  func markChanged() {
    if !marks[.isBusy], marks[.isShown], lifecycle.state != .unattached {
      context.signal(.changed, slot)
    }
    marks[.isShown] = false
  }

  // MARK: - The way to a goal, step by step

  /// A change of the activation state.
  struct Transition: Sendable {
    let old: ActivationState
    let new: ActivationState
    /// Whether the application's state follows it; not in a snapshot pass.
    let isCounted: Bool
  }

  /// What the delegate is to be called for next.
  struct Step: Sendable {
    let action: SceneLifecycle.Action
    /// The change of state that comes before the callback.
    let transition: Transition?
  }

  /// What a step has come to.
  struct Outcome: Sendable {
    /// What holds the plan up, if something does.
    var hold: SceneHold?
    /// What is to be made known, if something changed.
    var shown: ShownDetails?
  }

  /// Sets out for a goal.
  ///
  /// - Parameters:
  ///   - goal: Where the scene is to be.
  ///   - delivery: What is to be delivered on the way.
  func begin(_ goal: SceneLifecycle.Goal, _ delivery: Delivery?) {
    // Changed aside, as in each step: a scene's property is not watched for overlapping accesses.
    var next = lifecycle
    next.begin(
      goal, hasDelivery: delivery != nil, isAnnouncement: delivery?.isAnnouncement ?? false,
      dances: goal == .refreshed && context.rules.dances)
    lifecycle = next
  }

  /// Enters the state that the last callback led to.
  func arrive() -> Transition? {
    lifecycle.arrive()
    return takeTransition()
  }

  /// Decides the next step; nil if the scene is where it can be.
  func nextStep(toward goal: SceneLifecycle.Goal) -> Step? {
    var next = lifecycle
    let action = next.next(toward: goal)
    lifecycle = next
    guard let action else { return nil }
    return Step(action: action, transition: takeTransition())
  }

  /// Calls the delegate for a step.
  ///
  /// - Parameters:
  ///   - action: What the delegate is called for.
  ///   - delivery: What is to be delivered on the way.
  /// - Returns: What holds the plan up, and what is to be made known.
  func carryOut(_ action: SceneLifecycle.Action, _ delivery: Delivery?) -> Outcome {
    marks[.isBusy] = true
    let hold = action.perform(in: self, delivery)
    return Outcome(hold: hold, shown: takeShown())
  }

  /// What the way led to, once the scene has arrived or is held up.
  ///
  /// - Parameters:
  ///   - goal: Where the scene was to be.
  ///   - hold: What held the last step up.
  /// - Returns: What is to be made known and stored, and what holds the plan up.
  func finish(_ goal: SceneLifecycle.Goal, _ hold: SceneHold?) -> SceneProgress {
    marks[.isBusy] = true
    let changes = takeChanges()
    let isHeld = hold == nil && lifecycle.isHeld(toward: goal)
    return SceneProgress(
      changes: changes, hold: isHeld ? .restoration : hold, isKept: !lifecycle.isEnded || isKept)
  }

  // MARK: - What the shard asks for between two goals

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
    if captures { StateCapture(isPrompt: true).run(in: self) }
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

  /// Takes what a callback changed, at its end.
  @inline(__always)
  func takeChanges() -> SceneChanges? {
    let quiet: Marks = [.isShown, .isRowTaken, .isStateTaken]
    // The usual case in one look: nothing changed.
    if marks.subtracting([.isBusy, .isUnhandled, .isRefused, .isStateWithheld]) == quiet,
      extras == nil
    {
      marks[.isBusy] = false
      return nil
    }
    StateCapture.ifPromised(in: self)
    marks[.isBusy] = false
    var changes = SceneChanges.take(from: self)
    captured = nil
    // What was sealed may have brought back what was withheld, which is shown as well.
    if let shown = takeShown() {
      if changes == nil { changes = SceneChanges(details) }
      changes?.shown = shown
    }
    return changes
  }

  /// Takes what a callback changed and readers and routing do not know yet.
  @inline(__always)
  private func takeShown() -> ShownDetails? {
    if marks[.isShown] { return nil }
    marks[.isShown] = true
    return ShownDetails(details: details, isStateWithheld: marks[.isStateWithheld])
  }

  /// Makes a new state visible.
  @inline(__always)
  private func takeTransition() -> Transition? {
    let (old, new) = (activationState, lifecycle.state)
    guard old != new else { return nil }
    showState()
    return Transition(old: old, new: new, isCounted: !lifecycle.isDancing)
  }

  /// Makes the activation state readable, and whether the restoration is extended.
  func showState() {
    let isRestoring = lifecycle.extensions > 0
    visible.store(
      Visible(lifecycle.state, isRestoring: isRestoring).rawValue, ordering: .relaxed)
  }

  func reportUnhandled() {
    context.events.diagnose(.unhandledEvent, persistentIdentifier)
  }
}

extension SceneLifecycle.Action {
  /// Calls a scene's delegate; returns what has to happen elsewhere before the plan can go on.
  fileprivate func perform(in scene: isolated Scene, _ delivery: Delivery?) -> SceneHold? {
    switch self {
    case .connect: Self.connect(scene, delivery)
    case .restoreInteractionState:
      if let delegate = scene.stateCallee {
        if var state = scene.details.restorationState {
          delegate.scene(scene, restoreStateFrom: &state)
        }
      } else if let activity = scene.details.stateRestorationActivity {
        scene.callee?.scene(scene, restoreInteractionStateWith: activity)
      }
    case .willEnterForeground: scene.callee?.sceneWillEnterForeground(scene)
    case .deliverEvent: return delivery.flatMap { $0.deliver(to: scene) }
    case .didBecomeActive: scene.callee?.sceneDidBecomeActive(scene)
    case .willResignActive: scene.callee?.sceneWillResignActive(scene)
    case .didEnterBackground: scene.callee?.sceneDidEnterBackground(scene)
    case .captureState: StateCapture().run(in: scene)
    case .takeSnapshots: SnapshotPass().run(in: scene)
    case .didDisconnect: Self.disconnect(scene)
    }
    return nil
  }

  private static func connect(_ scene: isolated Scene, _ delivery: Delivery?) {
    var event = delivery?.event
    if case .wake? = delivery {
      event = Delivery.takeDueWake(of: scene).map { .activity($0.activity) }
    }
    scene.delegate = scene.configuration.makeDelegate?()
    // Looked at here, by most delegates, and again for the restoration.
    if scene.stateCallee == nil { scene.details.decodeActivity() }
    let session = scene.session
    scene.lifecycle.owesRestoration = scene.details.hasRestorationState
    if case .handoff(let type, _) = event { scene.ensureExtras().announce(type) }
    scene.callee?.scene(
      scene, willConnectTo: session, options: Scene.ConnectionOptions(event))
  }

  private static func disconnect(_ scene: isolated Scene) {
    scene.callee?.sceneDidDisconnect(scene)
    scene.dropHints()
    scene.extras = scene.extras?.end()
    scene.callee = nil
    scene.stateCallee = nil
  }

  /// What UIKit posts after the callback (R-FG-1).
  var notification: LifecycleEvent.SceneNotification? {
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
