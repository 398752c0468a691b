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
    let task = context.services.tasks.start {
      sender.send(await work())
    }
    extras.keep(task, token)
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
  private let scene: WeakReference
  private let slot: Int32
  private let signal: @Sendable (SceneSignal, Int32) -> Void
  private let token: Int

  init(_ scene: isolated Scene, _ token: Int) {
    self.scene = WeakReference(scene)
    slot = scene.slot
    signal = scene.context.signal
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
    signal(.resumed(ResumedScene(scene: scene, token: token, result: result)), slot)
  }
}

/// A scene that is to go on with a result.
final class ResumedScene: Sendable {
  let scene: WeakReference
  let token: Int
  let result: (any Sendable)?

  init(scene: WeakReference, token: Int, result: (any Sendable)?) {
    self.scene = scene
    self.token = token
    self.result = result
  }
}
