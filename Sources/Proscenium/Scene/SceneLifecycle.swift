// SPDX-License-Identifier: Apache-2.0

/// The life of one scene as a pure machine: given a goal, it says which callback comes next.
///
/// It knows the edges of semantics#legal-transitions, the order of the callbacks (SEQ-CONNECT to
/// SEQ-DESTROY) and the state that each callback sees (R-ACT-3: `will…` the one before, `did…` the
/// one after). The scene performs what it says and asks again until there is nothing left to do. A
/// goal that was reached already, or has become impossible, asks for nothing: plans are goals, and
/// the real state decides.
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

  private(set) var state = SceneActivationState.unattached
  /// How often the restoration was extended and not completed (R-EXT-1).
  private(set) var extensions: UInt8 = 0
  /// Everything that is true or false, and what the last action leads to: in one word, since there
  /// is a machine in each scene.
  private var bits = Bits.becomesActive.rawValue

  private enum Bits: UInt16 {
    case isEnded = 1
    case owesEvent = 2
    case isEventLast = 4
    case owesRestoration = 8
    case owesCapture = 16
    case owesSnapshots = 32
    case hasComeForward = 64
    case becomesActive = 128
    case isDancing = 256
    case owesDance = 512
    case owesDanceEnd = 1024
    /// The state after the last action, if it is another one, in the three highest bits.
    case stateAfter = 0xE000
  }

  private subscript(_ bit: Bits) -> Bool {
    get { bits & bit.rawValue != 0 }
    set { bits = newValue ? bits | bit.rawValue : bits & ~bit.rawValue }
  }

  /// What the last action leads to once its callback has returned.
  private var stateAfter: SceneActivationState? {
    get {
      let value = bits >> 13
      return value == 0 ? nil : SceneActivationState(rawValue: Int8(value) - 2)
    }
    set {
      bits = bits & ~Bits.stateAfter.rawValue | UInt16((newValue?.rawValue ?? -2) + 2) << 13
    }
  }

  /// Whether the scene was disconnected.
  private(set) var isEnded: Bool {
    get { self[.isEnded] }
    set { self[.isEnded] = newValue }
  }

  /// An event waits for its place: between `willEnterForeground` and `didBecomeActive` (R-FG-3),
  /// or after them for a hand-off that the scene connects for.
  private var owesEvent: Bool {
    get { self[.owesEvent] }
    set { self[.owesEvent] = newValue }
  }

  private var isEventLast: Bool {
    get { self[.isEventLast] }
    set { self[.isEventLast] = newValue }
  }

  /// The saved activity is still to be handed over (SEQ-CONNECT).
  var owesRestoration: Bool {
    get { self[.owesRestoration] }
    set { self[.owesRestoration] = newValue }
  }

  /// The state is still to be captured, after a background entry or because it was marked.
  var owesCapture: Bool {
    get { self[.owesCapture] }
    set { self[.owesCapture] = newValue }
  }

  /// The scene was told that it comes to the foreground: its restoration is over.
  private var hasComeForward: Bool {
    get { self[.hasComeForward] }
    set { self[.hasComeForward] = newValue }
  }

  /// Whether the role takes input.
  var becomesActive: Bool {
    get { self[.becomesActive] }
    set { self[.becomesActive] = newValue }
  }

  /// Whether the scene is on its way through UIKit's snapshot pass, where no user sees it.
  var isDancing: Bool { self[.isDancing] }

  /// Takes up a plan.
  ///
  /// - Parameters:
  ///   - goal: Where the plan wants the scene to be.
  ///   - hasDelivery: Whether something is to be delivered on the way. A scene that connects finds
  ///     an event in its options instead (R-CON-2).
  ///   - isAnnouncement: Whether it is told to a scene that connects as well, as a hand-off is.
  ///   - dances: Whether a refresh goes through UIKit's snapshot pass (R-RF-4).
  mutating func begin(_ goal: Goal, hasDelivery: Bool, isAnnouncement: Bool, dances: Bool) {
    let connects = state == .unattached
    owesEvent = hasDelivery && (!connects || isAnnouncement)
    isEventLast = connects
    if goal == .refreshed, connects || state == .background {
      owesCapture = true
      self[.owesSnapshots] = true
      self[.owesDance] = dances
      self[.owesDanceEnd] = dances
    }
  }

  /// Takes the state that the last action leads to, once its callback has returned.
  ///
  /// A step of its own: `next(toward:)` may go on to another state at once, and a count of
  /// transitions has to see each edge of semantics#legal-transitions.
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

  /// Extends the restoration by one; without effect once the scene has come to the foreground.
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
    guard extensions > 0, !isEnded else { return false }
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
    case .unchanged, .connected:
      return eventIfOwed()
    case .inactive:
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
      self[.owesSnapshots] = true
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
    guard self[.owesSnapshots] else { return nil }
    self[.owesSnapshots] = false
    return .takeSnapshots
  }

  /// R-RF-4: into the foreground, without becoming active, and out again.
  private mutating func danceIfOwed() -> Action? {
    if self[.owesDance] {
      self[.owesDance] = false
      self[.isDancing] = true
      hasComeForward = true
      stateAfter = .foregroundInactive
      return .willEnterForeground
    }
    if self[.owesDanceEnd] {
      self[.owesDanceEnd] = false
      state = .background
      return .didEnterBackground
    }
    self[.isDancing] = false
    return nil
  }

  private mutating func end() -> Action {
    state = .unattached
    isEnded = true
    return .didDisconnect
  }
}
