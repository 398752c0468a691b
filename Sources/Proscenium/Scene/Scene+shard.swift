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
  /// Brings the scene to a goal: ``perform(_:_:isContinued:)`` for the shard.
  @inline(__always)
  nonisolated func performOnShard(
    _ goal: SceneLifecycle.Goal, _ cargo: Plan.Cargo? = nil, isContinued: Bool = false
  ) -> Progress {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Goal, Plan.Cargo?, Bool) -> Progress = {
      $0.perform($1, $2, isContinued: $3)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneLifecycle.Goal, Plan.Cargo?, Bool) -> Progress).self)(
        self, goal, cargo, isContinued)
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
      shard.assertIsolated()
    #endif
  }
}
