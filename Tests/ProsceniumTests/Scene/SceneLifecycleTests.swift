// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// The pure machine: from each state toward each goal (semantics#legal-transitions).
@Suite struct SceneLifecycleTests {
  typealias State = Scene.ActivationState
  typealias Goal = SceneLifecycle.Goal

  /// One way from a state toward a goal: each action with the state that its callback sees.
  struct Way: Sendable, CustomTestStringConvertible {
    let from: State
    let goal: Goal
    let actions: [String]
    let end: State

    init(_ from: State, _ goal: Goal, _ actions: [String], _ end: State) {
      self.from = from
      self.goal = goal
      self.actions = actions
      self.end = end
    }

    var testDescription: String { "\(from.letter) toward \(goal)" }
  }

  static let ways: [Way] = [
    Way(.unattached, .unchanged, [], .unattached),
    Way(.unattached, .connected, ["connect U"], .background),
    Way(
      .unattached, .foreground, ["connect U", "willEnterForeground B", "didBecomeActive A"],
      .foregroundActive),
    Way(.unattached, .inactive, [], .unattached),
    Way(.unattached, .background, [], .unattached),
    Way(.unattached, .refreshed, ["connect U", "captureState B", "takeSnapshots B"], .background),
    Way(.unattached, .disconnected, [], .unattached),
    Way(.unattached, .destroyed, [], .unattached),

    Way(.background, .unchanged, [], .background),
    Way(.background, .connected, [], .background),
    Way(
      .background, .foreground, ["willEnterForeground B", "didBecomeActive A"],
      .foregroundActive),
    Way(.background, .inactive, [], .background),
    Way(.background, .background, [], .background),
    Way(.background, .refreshed, ["captureState B", "takeSnapshots B"], .background),
    Way(.background, .disconnected, ["didDisconnect U"], .unattached),
    Way(.background, .destroyed, ["didDisconnect U"], .unattached),

    Way(.foregroundInactive, .unchanged, [], .foregroundInactive),
    Way(.foregroundInactive, .connected, [], .foregroundInactive),
    Way(.foregroundInactive, .foreground, ["didBecomeActive A"], .foregroundActive),
    Way(.foregroundInactive, .inactive, [], .foregroundInactive),
    Way(
      .foregroundInactive, .background,
      ["didEnterBackground B", "captureState B", "takeSnapshots B"],
      .background),
    Way(.foregroundInactive, .refreshed, [], .foregroundInactive),
    Way(.foregroundInactive, .disconnected, [], .foregroundInactive),
    Way(.foregroundInactive, .destroyed, ["didDisconnect U"], .unattached),

    Way(.foregroundActive, .unchanged, [], .foregroundActive),
    Way(.foregroundActive, .connected, [], .foregroundActive),
    Way(.foregroundActive, .foreground, [], .foregroundActive),
    Way(.foregroundActive, .inactive, ["willResignActive A"], .foregroundInactive),
    Way(
      .foregroundActive, .background,
      ["willResignActive A", "didEnterBackground B", "captureState B", "takeSnapshots B"],
      .background),
    Way(.foregroundActive, .refreshed, [], .foregroundActive),
    Way(.foregroundActive, .disconnected, [], .foregroundActive),
    Way(
      .foregroundActive, .destroyed, ["willResignActive A", "didDisconnect U"], .unattached),
  ]

  @Test(arguments: ways)
  func `each goal is reached from each state by the callbacks between`(way: Way) {
    var walker = Walker(at: way.from)
    walker.go(toward: way.goal)
    #expect(walker.actions == way.actions)
    #expect(walker.machine.state == way.end)
  }

  @Test(
    "an event is delivered on the way to the front, in state I (R-FG-3)",
    arguments: [
      Way(
        .background, .foreground, ["willEnterForeground B", "deliverEvent I", "didBecomeActive A"],
        .foregroundActive),
      Way(
        .foregroundInactive, .foreground, ["deliverEvent I", "didBecomeActive A"],
        .foregroundActive),
      Way(.foregroundActive, .foreground, ["deliverEvent A"], .foregroundActive),
      // The event is in the options (R-CON-2).
      Way(
        .unattached, .foreground, ["connect U", "willEnterForeground B", "didBecomeActive A"],
        .foregroundActive),
    ])
  func event(way: Way) {
    var walker = Walker(at: way.from)
    walker.go(toward: way.goal, hasEvent: true)
    #expect(walker.actions == way.actions)
    #expect(walker.machine.state == way.end)
  }

  @Test func `a saved state is restored before the foreground (SEQ-CONNECT)`() {
    var walker = Walker(at: .unattached)
    walker.savesState = true
    walker.go(toward: .foreground)
    #expect(
      walker.actions == [
        "connect U", "restoreInteractionState B", "willEnterForeground B", "didBecomeActive A",
      ])
  }

  @Test func `a saved state is restored when a session is connected for a refresh (R-RF-4)`() {
    var walker = Walker(at: .unattached)
    walker.savesState = true
    walker.go(toward: .refreshed)
    #expect(
      walker.actions == [
        "connect U", "restoreInteractionState B", "captureState B", "takeSnapshots B",
      ])
  }

  @Test func `a marked state is captured before a disconnect (R-DIS-3)`() {
    var walker = Walker(at: .background)
    walker.machine.owesCapture = true
    walker.go(toward: .disconnected)
    #expect(walker.actions == ["captureState B", "didDisconnect U"])
  }

  @Test func `a marked state is not captured when its session ends (R-DST-2)`() {
    var walker = Walker(at: .background)
    walker.machine.owesCapture = true
    walker.go(toward: .destroyed)
    #expect(walker.actions == ["didDisconnect U"])
  }

  @Test func `a scene that takes no input stays inactive in the foreground`() {
    var walker = Walker(at: .unattached)
    walker.machine.becomesActive = false
    walker.go(toward: .foreground)
    #expect(walker.actions == ["connect U", "willEnterForeground B"])
    #expect(walker.machine.state == .foregroundInactive)
  }

  @Test(arguments: [Goal.disconnected, .destroyed])
  func `nothing follows the disconnect of an instance (R-ID-5)`(end: Goal) {
    var walker = Walker(at: .background)
    walker.go(toward: end)
    walker.actions = []
    for goal in Goal.all { walker.go(toward: goal, hasEvent: true) }
    #expect(walker.actions == [])
    #expect(walker.machine.state == .unattached)
  }

  @Test(arguments: 1...200)
  func `only legal edges appear, whatever the goals`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var walker = Walker(at: .unattached)
    walker.savesState = Bool.random(using: &generator)
    walker.machine.becomesActive = Int.random(in: 0..<4, using: &generator) > 0
    for _ in 0..<40 {
      let goal = Goal.all.randomElement(using: &generator) ?? .unchanged
      if Bool.random(using: &generator) { walker.machine.owesCapture = true }
      walker.go(toward: goal, hasEvent: Bool.random(using: &generator))
    }
    #expect(walker.edges.isSubset(of: ["UB", "BI", "IA", "AI", "IB", "BU", "IU"]))
    for line in walker.actions { #expect(Walker.legalActions.contains(line)) }
  }
}

/// Performs what a machine asks for, and writes it down.
private struct Walker {
  /// The state that each callback sees (R-ACT-3).
  static let legalActions: Set<String> = [
    "connect U", "restoreInteractionState B", "willEnterForeground B", "deliverEvent I",
    "deliverEvent A", "didBecomeActive A", "willResignActive A", "didEnterBackground B",
    "captureState B", "takeSnapshots B", "deliverEvent B", "didDisconnect U",
  ]

  var machine = SceneLifecycle()
  /// Whether the session has a saved state when its scene connects.
  var savesState = false
  var actions: [String] = []
  private(set) var edges: Set<String> = []
  private var last = Scene.ActivationState.unattached

  init(at state: Scene.ActivationState) {
    switch state {
    case .unattached: break
    case .background: go(toward: .connected)
    case .foregroundInactive:
      go(toward: .foreground)
      go(toward: .inactive)
    case .foregroundActive: go(toward: .foreground)
    }
    actions = []
  }

  mutating func go(toward goal: SceneLifecycle.Goal, hasEvent: Bool = false) {
    machine.begin(goal, hasDelivery: hasEvent, isAnnouncement: false, dances: false)
    while true {
      machine.arrive()
      look()
      guard let action = machine.next(toward: goal) else { return }
      look()
      actions.append("\(action) \(machine.state.letter)")
      if case .connect = action { machine.owesRestoration = savesState }
    }
  }

  private mutating func look() {
    if machine.state != last { edges.insert(last.letter + machine.state.letter) }
    last = machine.state
  }
}

extension SceneLifecycle.Goal {
  fileprivate static let all: [SceneLifecycle.Goal] = [
    .unchanged, .connected, .foreground, .held, .inactive, .background, .refreshed,
    .disconnected, .destroyed,
  ]
}
