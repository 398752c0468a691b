// SPDX-License-Identifier: Apache-2.0

// Work that a callback starts and does not wait for.
extension Scene {
  /// Starts work that belongs to the scene, and goes on with its result.
  ///
  /// For everything that a callback cannot do at once: callbacks are synchronous. The work runs
  /// beside the scene and captures values, never the delegate. Its result comes back to the scene
  /// between two other items of its queue, also while a restoration is extended. When the scene is
  /// disconnected, the work is cancelled and `then` is not called any more.
  ///
  /// - Parameters:
  ///   - type: The delegate's class; `then` is not called if the delegate is of another one.
  ///   - work: What is to be done.
  ///   - then: Continues with the result, on the scene.
  public func addTask<Delegate: SceneDelegate, Output: Sendable>(
    _ type: Delegate.Type, _ work: @escaping @Sendable () async -> Output,
    then: @escaping (Delegate, isolated Scene, Output) -> Void
  ) {
    let extras = ensureExtras()
    let token = extras.keep(TypedSceneHandler(then))
    let sender = SceneResult(self, token)
    let task = shard.core.sceneTasks.start {
      sender.send(await work())
    }
    extras.keep(task, token)
  }

  /// Submits a request, and hears of its failure in the scene.
  ///
  /// - Parameters:
  ///   - request: The request; it takes effect after the callback has returned.
  ///   - type: The delegate's class.
  ///   - onFailure: Called at most once, on the scene, after the callback that submitted the
  ///     request; never after the disconnect.
  public func submit<Delegate: SceneDelegate>(
    _ request: SessionRequest, _ type: Delegate.Type,
    onFailure: @escaping (Delegate, isolated Scene, SceneError) -> Void
  ) {
    let token = ensureExtras().keep(TypedSceneHandler(onFailure))
    let sender = SceneResult(self, token)
    application.submit(request) { sender.send($0) }
  }

  /// Continues with a result that has come.
  func resume(_ token: Int, with result: (any Sendable)?) {
    guard let handler = extras?.take(token), let result else { return }
    handler.resume(self, result)
  }
}

/// Brings one result back to the scene that waits for it.
///
/// If nobody is left who could send it, the scene is told to wait no longer.
final class SceneResult: Sendable {
  private let scene: WeakScene
  private let slot: Int32
  private let mailbox: ShardMailbox
  private let token: Int

  init(_ scene: isolated Scene, _ token: Int) {
    self.scene = WeakScene(scene)
    slot = scene.slot
    mailbox = scene.shard.mailbox
    self.token = token
  }

  func send(_ result: some Sendable) {
    post(result)
  }

  deinit {
    // After a result has been sent, there is nothing to take any more.
    post(nil)
  }

  private func post(_ result: (any Sendable)?) {
    mailbox.post(
      ShardItem(slot: slot, work: .resume(ResumedScene(scene: scene, token: token, result: result)))
    )
  }
}

/// A scene that is to go on with a result.
final class ResumedScene: Sendable {
  let scene: WeakScene
  let token: Int
  let result: (any Sendable)?

  init(scene: WeakScene, token: Int, result: (any Sendable)?) {
    self.scene = scene
    self.token = token
    self.result = result
  }
}
