// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import ProsceniumPredicate
import ProsceniumPrimitives
import Testing

@Suite struct SessionDetailsTests {
  /// Everything that details hold, as plain values.
  private struct Model: Equatable {
    var group: SceneGroup?
    var title: String?
    var subtitle: String?
    var conditions = SceneActivationConditions()
    var destruction: Set<Scene.DestructionCondition> = []
    var activity: UserActivity?
    var userInfo: [String: UserInfoValue]?
    var snapshots: [String: [UInt8]] = [:]
    var nextWake: Int64?
    var isLocked = false

    init() {}

    init(_ details: SessionDetails) {
      group = details.group
      title = details.title
      subtitle = details.subtitle
      conditions = details.activationConditions
      destruction = details.destructionConditions
      activity = details.savedActivity
      userInfo = details.userInfo
      snapshots = details.snapshots
      nextWake = details.nextWake
      isLocked = details.isLocked
    }

    var state: SavedState {
      SavedState(activity: activity, userInfo: userInfo, snapshots: snapshots)
    }

    var hasState: Bool { activity != nil || userInfo != nil || !snapshots.isEmpty }
  }

  /// Makes one change, chosen at random, of both.
  private func change(
    _ details: inout SessionDetails, _ model: inout Model, _ random: inout SplitMix64
  ) throws {
    let text: String? = random.number(below: 3) == 0 ? nil : "\(random.number(below: 3))"
    let activity = text.map { UserActivity("type", title: $0, userInfo: ["key": "value"]) }
    let bytes = [UInt8](repeating: UInt8(random.number(below: 3)), count: 3)
    switch random.number(below: 12) {
    case 0:
      let group = text.map { SceneGroup(rawValue: $0) }
      (details.group, model.group) = (group, group)
    case 1: (details.title, model.title) = (text, text)
    case 2: (details.subtitle, model.subtitle) = (text, text)
    case 3:
      let conditions = SceneActivationConditions(can: text == nil ? .true : .false)
      (details.activationConditions, model.conditions) = (conditions, conditions)
    case 4:
      let destruction: Set<Scene.DestructionCondition> = text == nil ? [] : [.systemDisconnection]
      (details.destructionConditions, model.destruction) = (destruction, destruction)
    case 5:
      (details.stateRestorationActivity, model.activity) = (activity, activity)
      model.isLocked = false
    case 6:
      let info = text.map { ["key": UserInfoValue.string($0)] }
      (details.userInfo, model.userInfo) = (info, info)
    case 7:
      details.setSnapshot(bytes, of: text ?? "", beside: model.activity)
      model.snapshots[text ?? ""] = bytes
    case 8:
      // As a capture leaves it.
      model.activity = activity ?? UserActivity("type")
      details.encodedState = try model.state.encoded()
      model.isLocked = false
    case 9: (details.isLocked, model.isLocked) = (text != nil, text != nil)
    case 10:
      details.decodeActivity()
      if !model.isLocked { #expect(details.encodedState == nil) }
    default:
      details = details.withoutState
      model.activity = nil
      model.userInfo = nil
      model.snapshots = [:]
      model.isLocked = false
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `every change is kept, and none of another thing`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var details = SessionDetails.none
    var model = Model()
    for _ in 0..<40 {
      let before = details
      let last = model
      try change(&details, &model, &random)
      try #require(Model(details) == model)
      #expect(details.hasState == model.hasState)
      #expect(details.state == model.state)
      if details.isIdentical(to: before) { #expect(model == last) }
      let parts = details.differences(from: before)
      if model.state != last.state { #expect(parts.contains(.state)) }
      let row = [model, last].map { [$0.title, $0.subtitle, $0.group?.rawValue] }
      if row[0] != row[1] { #expect(parts.contains(.row)) }
    }
  }
}
