// SPDX-License-Identifier: Apache-2.0

extension Scene {
  /// How near a scene is to its user.
  ///
  /// The raw values are UIKit's. Their order is no order of activity: never compare them (R-ACT-1).
  public enum ActivationState: Int8, Sendable, Hashable {
    /// Not connected yet, or no longer (R-ACT-2).
    case unattached = -1
    /// In the foreground and receiving events.
    case foregroundActive = 0
    /// In the foreground, not receiving events.
    case foregroundInactive = 1
    /// Not on the screen.
    case background = 2
  }
}

/// The life of one scene as a pure machine: given a goal, it says which callback comes next.
///
/// It knows the legal edges of section 2.1, the order of the callbacks of sections 2.2 to 2.7 and
/// the state that each callback sees (R-ACT-3: `will…` the one before, `did…` the one after). The
/// scene performs what it says and asks again until there is nothing left to do. A goal that was
/// reached already, or has become impossible, asks for nothing: plans are goals, and the real state
/// decides.
struct SceneLifecycle: Sendable {
  /// Where a plan wants the scene to be.
  enum Goal: UInt8, Sendable {
    /// Wherever it is already.
    case unchanged
    /// Connected, wherever it is.
    case connected
    /// On the screen and active, or inactive if the role takes no input.
    case foreground
    /// On the screen, not active yet.
    case held
    /// Inactive, if it was active.
    case inactive
    /// Off the screen, its state captured.
    case background
    /// Connected, not brought to the foreground, its state captured.
    case refreshed
    /// Released by the system; the session stays.
    case disconnected
    /// Released with its session.
    case destroyed

    /// Whether a session without a scene gets one on the way.
    var connects: Bool {
      self == .connected || self == .foreground || self == .held || self == .refreshed
    }

    /// Whether the scene comes to the foreground.
    var isForeground: Bool { self == .foreground || self == .held }
  }

  /// What the scene does next.
  enum Action: Sendable {
    case connect
    case restoreInteractionState
    case willEnterForeground
    case deliverEvent
    case didBecomeActive
    case willResignActive
    case didEnterBackground
    case captureState
    case takeSnapshots
    case didDisconnect
  }

  private(set) var state = Scene.ActivationState.unattached
  /// What the last action leads to once its callback has returned.
  private var stateAfter: Scene.ActivationState?
  private var isEnded = false

  /// An event waits for its place: between `willEnterForeground` and `didBecomeActive` (R-FG-3),
  /// or after them for a hand-off that the scene connects for.
  private var owesEvent = false
  private var isEventLast = false
  /// The saved activity is still to be handed over (section 2.2, step 5).
  var owesRestoration = false
  /// The state is still to be captured, after a background entry or because it was marked.
  var owesCapture = false
  /// The switcher's snapshots are still to be taken.
  private var owesSnapshots = false
  /// How many steps of UIKit's snapshot pass are left: into the foreground and out again.
  private var danceSteps: UInt8 = 0
  /// How often the restoration was extended and not completed (R-EXT-1).
  private(set) var extensions: UInt16 = 0
  /// The scene was told that it comes to the foreground: its restoration is over.
  private var hasComeForward = false
  /// Whether the role takes input.
  var becomesActive = true

  /// Whether the scene is on its way through UIKit's snapshot pass, where nobody sees it.
  private(set) var isDancing = false

  /// Takes up a plan.
  ///
  /// - Parameters:
  ///   - goal: Where the plan wants the scene to be.
  ///   - delivery: What is to be delivered on the way. A scene that connects finds an event in its
  ///     options instead (R-CON-2), but for the announcement of a hand-off.
  ///   - dances: Whether a refresh goes through UIKit's snapshot pass (R-RF-4).
  mutating func begin(_ goal: Goal, _ delivery: Delivery?, dances: Bool) {
    let connects = state == .unattached
    owesEvent = delivery.map { !connects || $0.isAnnouncement } ?? false
    isEventLast = connects
    if goal == .refreshed, connects || state == .background {
      owesCapture = true
      owesSnapshots = true
      danceSteps = dances ? 2 : 0
    }
  }

  /// Takes the state that the last action leads to, once its callback has returned.
  ///
  /// A step of its own: `next(toward:)` may go on to another state at once, and whoever counts
  /// transitions has to see each edge of section 2.1.
  mutating func arrive() {
    guard let after = stateAfter else { return }
    state = after
    stateAfter = nil
  }

  /// Says what comes next on the way to a goal, or nil when the goal is reached or the way to it
  /// is held up by an extended restoration.
  mutating func next(toward goal: Goal) -> Action? {
    arrive()
    if isEnded { return nil }
    switch state {
    case .unattached: return nextUnattached(toward: goal)
    case .background: return nextInBackground(toward: goal)
    case .foregroundInactive: return nextInactive(toward: goal)
    case .foregroundActive: return nextActive(toward: goal)
    }
  }

  /// Whether an extended restoration keeps the scene from a goal.
  func isHeld(toward goal: Goal) -> Bool {
    goal.isForeground && extensions > 0 && state == .background
  }

  // MARK: - Extended restoration (R-EXT-1)

  /// Extends the restoration once more; without effect once the scene has come to the foreground.
  ///
  /// - Returns: Whether it is the only extension now.
  mutating func extend() -> Bool {
    guard !hasComeForward, !isEnded, extensions < .max else { return false }
    extensions += 1
    return extensions == 1
  }

  /// Completes the restoration as often as it was extended.
  ///
  /// - Returns: Whether it is complete by this.
  mutating func complete() -> Bool {
    guard extensions > 0 else { return false }
    extensions -= 1
    return extensions == 0
  }

  /// Ends the restoration, whatever is left of it.
  mutating func abandonRestoration() {
    extensions = 0
  }

  // MARK: - States

  private mutating func nextUnattached(toward goal: Goal) -> Action? {
    guard goal.connects else { return nil }
    stateAfter = .background
    return .connect
  }

  private mutating func nextInBackground(toward goal: Goal) -> Action? {
    if owesRestoration {
      owesRestoration = false
      return .restoreInteractionState
    }
    switch goal {
    case .foreground, .held:
      guard extensions == 0 else { return nil }
      // A capture that is owed is taken at the next background entry.
      hasComeForward = true
      stateAfter = .foregroundInactive
      return .willEnterForeground
    case .background, .refreshed:
      if let step = danceIfOwed() { return step }
      return captureIfOwed() ?? snapshotsIfOwed()
    case .disconnected:
      return captureIfOwed() ?? end()
    case .destroyed:
      return end()
    case .unchanged:
      return eventIfOwed()
    case .connected, .inactive:
      return nil
    }
  }

  private mutating func nextInactive(toward goal: Goal) -> Action? {
    switch goal {
    case .foreground:
      if !isEventLast || !becomesActive, let event = eventIfOwed() { return event }
      guard becomesActive else { return nil }
      state = .foregroundActive
      return .didBecomeActive
    case .background:
      state = .background
      owesCapture = true
      owesSnapshots = true
      return .didEnterBackground
    case .refreshed:
      return danceIfOwed()
    case .destroyed:
      return end()
    case .unchanged, .held:
      return eventIfOwed()
    case .connected, .inactive, .disconnected:
      return nil
    }
  }

  private mutating func nextActive(toward goal: Goal) -> Action? {
    switch goal {
    case .foreground, .held, .unchanged:
      return eventIfOwed()
    case .inactive, .background, .destroyed:
      stateAfter = .foregroundInactive
      return .willResignActive
    case .connected, .refreshed, .disconnected:
      return nil
    }
  }

  private mutating func eventIfOwed() -> Action? {
    guard owesEvent else { return nil }
    owesEvent = false
    return .deliverEvent
  }

  private mutating func captureIfOwed() -> Action? {
    guard owesCapture else { return nil }
    owesCapture = false
    return .captureState
  }

  private mutating func snapshotsIfOwed() -> Action? {
    guard owesSnapshots else { return nil }
    owesSnapshots = false
    return .takeSnapshots
  }

  /// R-RF-4: into the foreground, without becoming active, and out again.
  private mutating func danceIfOwed() -> Action? {
    guard danceSteps > 0 else {
      isDancing = false
      return nil
    }
    danceSteps -= 1
    if state == .background {
      isDancing = true
      hasComeForward = true
      stateAfter = .foregroundInactive
      return .willEnterForeground
    }
    state = .background
    return .didEnterBackground
  }

  private mutating func end() -> Action {
    state = .unattached
    isEnded = true
    return .didDisconnect
  }
}
