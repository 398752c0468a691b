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
    /// On the screen, inactive.
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
    var connects: Bool { self == .connected || self == .foreground || self == .refreshed }
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
    case didDisconnect
  }

  private(set) var state = Scene.ActivationState.unattached
  /// What the last action leads to once its callback has returned.
  private var stateAfter: Scene.ActivationState?
  private var isEnded = false

  /// An event waits for its place between `willEnterForeground` and `didBecomeActive` (R-FG-3).
  private var owesEvent = false
  /// The saved activity is still to be handed over (section 2.2, step 5).
  var owesRestoration = false
  /// The state is still to be captured, after a background entry or because it was marked.
  var owesCapture = false
  /// Whether the role takes input.
  var becomesActive = true

  /// Takes up a plan.
  ///
  /// - Parameters:
  ///   - goal: Where the plan wants the scene to be.
  ///   - hasEvent: Whether an event is to be delivered on the way. A scene that connects finds it
  ///     in its options instead (R-CON-2).
  mutating func begin(_ goal: Goal, hasEvent: Bool) {
    owesEvent = hasEvent && state != .unattached
    if goal == .refreshed, state == .unattached || state == .background { owesCapture = true }
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

  /// Says what comes next on the way to a goal, or nil when the goal is reached.
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

  private mutating func nextUnattached(toward goal: Goal) -> Action? {
    switch goal {
    case .connected, .foreground, .refreshed:
      stateAfter = .background
      return .connect
    case .unchanged, .inactive, .background, .disconnected, .destroyed:
      return nil
    }
  }

  private mutating func nextInBackground(toward goal: Goal) -> Action? {
    if owesRestoration {
      owesRestoration = false
      return .restoreInteractionState
    }
    switch goal {
    case .foreground:
      // A capture that is owed is taken at the next background entry.
      stateAfter = .foregroundInactive
      return .willEnterForeground
    case .background, .refreshed:
      return captureIfOwed()
    case .disconnected:
      if let capture = captureIfOwed() { return capture }
      return end()
    case .destroyed:
      return end()
    case .unchanged, .connected, .inactive:
      return nil
    }
  }

  private mutating func nextInactive(toward goal: Goal) -> Action? {
    switch goal {
    case .foreground:
      if let event = eventIfOwed() { return event }
      guard becomesActive else { return nil }
      state = .foregroundActive
      return .didBecomeActive
    case .background:
      state = .background
      owesCapture = true
      return .didEnterBackground
    case .destroyed:
      return end()
    case .unchanged, .connected, .inactive, .refreshed, .disconnected:
      return nil
    }
  }

  private mutating func nextActive(toward goal: Goal) -> Action? {
    switch goal {
    case .foreground:
      return eventIfOwed()
    case .inactive, .background, .destroyed:
      stateAfter = .foregroundInactive
      return .willResignActive
    case .unchanged, .connected, .refreshed, .disconnected:
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

  private mutating func end() -> Action {
    state = .unattached
    isEnded = true
    return .didDisconnect
  }
}
