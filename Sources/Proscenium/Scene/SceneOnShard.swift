// SPDX-License-Identifier: Apache-2.0

import CProscenium

/// The way into a scene for its shard, without the hop of an `await`.
///
/// A scene's executor is that of its shard, so that a function which is isolated to the shard may
/// call what is isolated to the scene. `assumeIsolated` says so to the compiler, after a look at
/// the current executor and with two allocations. What is called often takes a shorter way: an
/// isolated function is called as any other one, and `unsafeBitCast` makes the conversion that
/// `assumeIsolated` makes after its look. These functions are called by functions that are isolated
/// to the scene's shard, and by no others; debug builds look as well.
struct SceneOnShard {
  let scene: Scene

  @inline(__always)
  init(_ scene: Scene) {
    self.scene = scene
  }

  /// Sets out for a goal: ``Scene/begin(_:_:)``.
  @inline(__always)
  func begin(_ goal: SceneLifecycle.Goal, _ delivery: Delivery?) {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Goal, Delivery?) -> Void = { $0.begin($1, $2) }
    unsafe unsafeBitCast(body, to: ((Scene, SceneLifecycle.Goal, Delivery?) -> Void).self)(
      scene, goal, delivery)
  }

  /// Enters the state that the last callback led to: ``Scene/arrive()``.
  @inline(__always)
  func arrive() -> Scene.Transition? {
    checkShard()
    let body: (isolated Scene) -> Scene.Transition? = { $0.arrive() }
    return unsafe unsafeBitCast(body, to: ((Scene) -> Scene.Transition?).self)(scene)
  }

  /// Decides the next step: ``Scene/nextStep(toward:)``.
  @inline(__always)
  func nextStep(toward goal: SceneLifecycle.Goal) -> Scene.Step? {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Goal) -> Scene.Step? = { $0.nextStep(toward: $1) }
    return unsafe unsafeBitCast(body, to: ((Scene, SceneLifecycle.Goal) -> Scene.Step?).self)(
      scene, goal)
  }

  /// Calls the delegate for a step: ``Scene/carryOut(_:_:)``.
  @inline(__always)
  func carryOut(_ action: SceneLifecycle.Action, _ delivery: Delivery?)
    -> Scene.Outcome
  {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Action, Delivery?) -> Scene.Outcome = {
      $0.carryOut($1, $2)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneLifecycle.Action, Delivery?) -> Scene.Outcome).self)(
        scene, action, delivery)
  }

  /// What the way led to: ``Scene/finish(_:_:)``.
  @inline(__always)
  func finish(_ goal: SceneLifecycle.Goal, _ hold: SceneHold?) -> SceneProgress {
    checkShard()
    let body: (isolated Scene, SceneLifecycle.Goal, SceneHold?) -> SceneProgress = {
      $0.finish($1, $2)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneLifecycle.Goal, SceneHold?) -> SceneProgress).self)(scene, goal, hold)
  }

  /// Gives the delegate a message: ``Scene/receive(_:captures:)``.
  @inline(__always)
  func receive(_ message: SceneMessage) -> SceneChanges? {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> SceneChanges? = { $0.receive($1) }
    return unsafe unsafeBitCast(body, to: ((Scene, SceneMessage) -> SceneChanges?).self)(
      scene, message)
  }

  /// Gives the delegate a message and captures the state.
  ///
  /// - Returns: What is to be stored, and whether the state that was captured is not kept.
  @inline(__always)
  func receiveDurably(_ message: SceneMessage) -> (SceneChanges?, Bool) {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> (SceneChanges?, Bool) = {
      ($0.receive($1, captures: true), $0.isRefused)
    }
    return unsafe unsafeBitCast(body, to: ((Scene, SceneMessage) -> (SceneChanges?, Bool)).self)(
      scene, message)
  }

  /// Asks the delegate for a reply: ``Scene/reply(to:)``.
  @inline(__always)
  func reply(to message: SceneMessage) -> (SceneMessage?, SceneChanges?) {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> (SceneMessage?, SceneChanges?) = {
      $0.reply(to: $1)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneMessage) -> (SceneMessage?, SceneChanges?)).self)(scene, message)
  }

  /// Changes what the session holds.
  ///
  /// - Throws: What the change throws.
  func carryOut(_ update: SessionUpdate) throws(SceneError) -> SceneChanges? {
    try scene.assumeIsolated { scene in
      Result { () throws(SceneError) in try update.carryOut(in: scene) }
    }.get()
  }

  /// Asks the processor to fetch the delegate.
  @inline(__always)
  func prefetchDelegate() {
    let body: (isolated Scene) -> Void = { scene in
      guard let callee = scene.callee else { return }
      unsafe proscenium_prefetch(
        UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(callee))))
    }
    unsafe unsafeBitCast(body, to: ((Scene) -> Void).self)(scene)
  }

  @inline(__always)
  private func checkShard() {
    #if DEBUG
      scene.assertIsolated()
    #endif
  }
}
