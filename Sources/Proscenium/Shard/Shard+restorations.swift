// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Extended restorations that take too long (R-EXT-1), or that the end does not wait for.
extension Shard {
  /// The time is over: the scene is disconnected, and what it could not restore is dropped.
  func expire(_ expired: WeakReference, _ slot: Int32) {
    guard let scene = scenes[slot], scene === expired.object, scene.isRestoring else { return }
    let held = lanes.takeHeld(slot)
    // What was to bring the session back after its last scene took too long is void: what is
    // decided now counts.
    lanes.removeRepeatedPlans(slot)
    mailbox.state.withLock { state in
      state.queue.removeAll { $0.slot == slot && $0.plan?.isRepeated == true }
    }
    let decided = held?.plan?.decisions ?? scene.decisions
    let (done, sleeper) = core.gate.withLock {
      $0.expire(handle(slot), decisions: decided)
    }
    let error = SceneError(
      .restorationTimedOut, session: scene.persistentIdentifier,
      "the restoration was extended and not completed within "
        + "\(core.settings.restorationLimit), so that the scene is disconnected")
    scenes.report(scene.persistentIdentifier, .failed(error))
    if let plan = held?.plan {
      countFinished(plan)
      plan.fail(error)
    }
    scenes.dropRestoration(of: scene)
    let end = scenes.bring(scene, to: .disconnected)
    scenes.record(end.changes, of: scene)
    release(slot, .restorationTimedOut, isKept: end.isKept)
    carriedOut.note(done, slot)
    leave(held)
    sleeper?.wake()
  }

  /// The application ends: what waits for a restoration does not come to the foreground any more.
  func abandonRestorations() {
    isEnding = true
    for slot in lanes.held {
      // It stays extended, so that nothing that waits behind brings the scene forward either.
      guard let scene = scenes[slot], scene.isRestoring, let held = lanes.takeHeld(slot)
      else { continue }
      if let plan = held.plan {
        countFinished(plan)
        plan.fail(SceneError.notRunning)
      }
      leave(held)
    }
  }

  /// Lets the victim of a joint item that does not go on leave the foreground.
  private func leave(_ held: ShardItem?) {
    if let partner = held?.partner, partner.session.kind == .victim {
      scenes.bring(partner.slot, to: .background)
    }
  }
}
