// SPDX-License-Identifier: Apache-2.0

import CProscenium

// The way into a scene for its shard, without the hop of an `await`.
//
// A scene's executor is that of its shard, so that a function which is isolated to the shard may
// call what is isolated to the scene. `assumeIsolated` says so to the compiler, after a look at the
// current executor and with two allocations. What is called often takes a shorter way: an isolated
// function is called as any other one, and `unsafeBitCast` makes the conversion that
// `assumeIsolated` makes after its look. These functions are called by functions that are isolated
// to the scene's shard, and by no others; debug builds look as well.
extension Scene {
  /// Sets out for a goal: ``begin(_:_:)`` for the shard.
  @inline(__always)
  nonisolated func beginOnShard(_ goal: SceneLifecycle.Goal, _ delivery: Delivery?) {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Goal, Delivery?) -> Void = { $0.begin($1, $2) }
    unsafe unsafeBitCast(body, to: ((Scene, SceneLifecycle.Goal, Delivery?) -> Void).self)(
      self, goal, delivery)
  }

  /// Enters the state that the last callback led to: ``arrive()`` for the shard.
  @inline(__always)
  nonisolated func arriveOnShard() -> Transition? {
    checkShard()
    let body: (isolated Scene) -> Transition? = { $0.arrive() }
    return unsafe unsafeBitCast(body, to: ((Scene) -> Transition?).self)(self)
  }

  /// Decides the next step: ``nextStep(toward:)`` for the shard.
  @inline(__always)
  nonisolated func nextStepOnShard(toward goal: SceneLifecycle.Goal) -> Step? {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Goal) -> Step? = { $0.nextStep(toward: $1) }
    return unsafe unsafeBitCast(body, to: ((Scene, SceneLifecycle.Goal) -> Step?).self)(self, goal)
  }

  /// Calls the delegate for a step: ``carryOut(_:_:)`` for the shard.
  @inline(__always)
  nonisolated func carryOutOnShard(_ action: SceneLifecycle.Action, _ delivery: Delivery?)
    -> Outcome
  {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Action, Delivery?) -> Outcome = {
      $0.carryOut($1, $2)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneLifecycle.Action, Delivery?) -> Outcome).self)(self, action, delivery)
  }

  /// What the way led to: ``finish(_:_:)`` for the shard.
  @inline(__always)
  nonisolated func finishOnShard(_ goal: SceneLifecycle.Goal, _ hold: SceneHold?) -> SceneProgress {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Goal, SceneHold?) -> SceneProgress = {
      $0.finish($1, $2)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneLifecycle.Goal, SceneHold?) -> SceneProgress).self)(self, goal, hold)
  }

  /// Gives the delegate a message: ``receive(_:captures:)`` for the shard.
  @inline(__always)
  nonisolated func receiveOnShard(_ message: SceneMessage) -> SceneChanges? {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> SceneChanges? = { $0.receive($1) }
    return unsafe unsafeBitCast(body, to: ((Scene, SceneMessage) -> SceneChanges?).self)(
      self, message)
  }

  /// Gives the delegate a message and captures the state, for the shard.
  ///
  /// - Returns: What is to be stored, and whether the state that was captured is not kept.
  @inline(__always)
  nonisolated func receiveDurablyOnShard(_ message: SceneMessage) -> (SceneChanges?, Bool) {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> (SceneChanges?, Bool) = {
      ($0.receive($1, captures: true), $0.isRefused)
    }
    return unsafe unsafeBitCast(body, to: ((Scene, SceneMessage) -> (SceneChanges?, Bool)).self)(
      self, message)
  }

  /// Asks the delegate for a reply: ``reply(to:)`` for the shard.
  @inline(__always)
  nonisolated func replyOnShard(to message: SceneMessage) -> (SceneMessage?, SceneChanges?) {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> (SceneMessage?, SceneChanges?) = {
      $0.reply(to: $1)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneMessage) -> (SceneMessage?, SceneChanges?)).self)(self, message)
  }

  /// Changes what the session holds: ``carryOut(_:)`` for the shard.
  ///
  /// - Throws: What the change throws.
  nonisolated func carryOutOnShard(_ update: SessionUpdate) throws(SceneError) -> SceneChanges? {
    try assumeIsolated { scene in
      Result { () throws(SceneError) in try scene.carryOut(update) }
    }.get()
  }

  /// Asks the processor to fetch the delegate.
  @inline(__always)
  nonisolated func prefetchDelegateOnShard() {
    let body: (isolated Scene) -> Void = { scene in
      guard let callee = scene.callee else { return }
      unsafe proscenium_prefetch(
        UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(callee))))
    }
    unsafe unsafeBitCast(body, to: ((Scene) -> Void).self)(self)
  }

  @inline(__always)
  private nonisolated func checkShard() {
    #if DEBUG
      assertIsolated()
    #endif
  }
}
