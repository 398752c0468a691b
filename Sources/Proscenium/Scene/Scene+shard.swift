// SPDX-License-Identifier: Apache-2.0

import CProscenium

// The way into a scene for its shard, without the hop of an `await`.
//
// An isolated function is called as any other one; what differs is what the compiler demands of
// the caller. `assumeIsolated` makes the same conversion after a look at the current executor, and
// allocates. Here the look is not needed: a scene's executor is that of its shard, and these
// functions are called by isolated functions of that shard alone, which debug builds check.
extension Scene {
  /// Gives the delegate a message; called on the shard's executor.
  ///
  /// - Returns: What is to be stored.
  @inline(__always)
  nonisolated func receiveOnShard(_ message: SceneMessage) -> SceneChanges? {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> SceneChanges? = { scene, message in
      scene.receive(message)
    }
    return unsafe unsafeBitCast(body, to: ((Scene, SceneMessage) -> SceneChanges?).self)(
      self, message)
  }

  /// Asks the delegate for a reply; called on the shard's executor.
  ///
  /// - Returns: The reply, or nil if the delegate does not answer calls, and what is to be stored.
  @inline(__always)
  nonisolated func replyOnShard(to message: SceneMessage) -> (SceneMessage?, SceneChanges?) {
    checkShard()
    let body: (isolated Scene, SceneMessage) -> (SceneMessage?, SceneChanges?) = { scene, message in
      scene.reply(to: message)
    }
    return unsafe unsafeBitCast(
      body, to: ((Scene, SceneMessage) -> (SceneMessage?, SceneChanges?)).self)(self, message)
  }

  /// Asks the processor to fetch the delegate; called on the shard's executor.
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
