// SPDX-License-Identifier: Apache-2.0

// The way of a scene to a goal: the scene decides each step, and the shard makes it known.
extension Shard {
  /// Brings a scene to a goal, callback by callback.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - goal: Where it is to be.
  ///   - delivery: What is to be delivered on the way.
  ///   - isContinued: Whether the plan was held up and goes on.
  /// - Returns: What is to be stored, and what holds the plan up.
  func bring(
    _ scene: Scene, to goal: SceneLifecycle.Goal, _ delivery: Delivery? = nil,
    isContinued: Bool = false
  ) -> SceneProgress {
    if !isContinued { scene.beginOnShard(goal, delivery) }
    while true {
      if let transition = scene.arriveOnShard() { announce(note(transition, of: scene)) }
      guard !core.isAbandoned, let step = scene.nextStepOnShard(toward: goal) else { break }
      let change = step.transition.flatMap { note($0, of: scene) }
      let outcome = scene.carryOutOnShard(step.action, delivery)
      if let shown = outcome.shown { show(shown, scene.slot) }
      if isHeard(.states), let notification = step.action.notification {
        report(scene.persistentIdentifier, .notification(notification), on: .states)
      }
      announce(change)
      if let hold = outcome.hold { return finish(scene, goal, hold) }
    }
    return finish(scene, goal, nil)
  }

  private func finish(
    _ scene: Scene, _ goal: SceneLifecycle.Goal, _ hold: SceneHold?
  ) -> SceneProgress {
    var progress = scene.finishOnShard(goal, hold)
    if let shown = progress.changes?.shown {
      show(shown, scene.slot)
      progress.changes?.shown = nil
    }
    return progress
  }

  func show(_ shown: ShownDetails, _ slot: Int32) {
    show(shown.details, slot, isStateHere: !shown.isStateWithheld)
  }
}
