// SPDX-License-Identifier: Apache-2.0

/// What few scenes have, so that the others do not pay for it.
final class SceneExtras {
  var userActivity: UserActivity?
  /// When the state is captured, if the settings do not say so.
  var durability: Durability?
  /// What the scene says about its memory.
  var hints = ConnectionHints()
  /// What waits until the state is durable.
  var effects: [@Sendable () -> Void] = []
  /// The types of activities of other devices whose data is to come.
  var announced: Set<String> = []
  private var nextToken = 0
  private var handlers: [Int: SceneHandler] = [:]
  private var tasks: [Int: SceneTasks.Handle] = [:]

  /// Keeps a handler until its result comes.
  func keep(_ handler: SceneHandler) -> Int {
    nextToken += 1
    handlers[nextToken] = handler
    return nextToken
  }

  func keep(_ task: SceneTasks.Handle, _ token: Int) {
    if handlers[token] != nil { tasks[token] = task }
  }

  /// How many results are to come.
  var pendingCount: Int { handlers.count }

  func take(_ token: Int) -> SceneHandler? {
    tasks[token] = nil
    return handlers.removeValue(forKey: token)
  }

  /// Cancels what still runs; nothing of it comes back to the scene.
  ///
  /// - Returns: What is left: effects that wait for the state that was captured last.
  func end() -> SceneExtras? {
    for task in tasks.values { task.cancel() }
    if effects.isEmpty { return nil }
    let left = SceneExtras()
    left.effects = effects
    return left
  }
}

/// Continues work of a scene with what came of it.
class SceneHandler {
  func resume(_ scene: isolated Scene, _ result: any Sendable) {}
}

/// A handler for a delegate of one class and results of one type.
final class TypedSceneHandler<Delegate: SceneDelegate, Result: Sendable>: SceneHandler {
  private let body: (Delegate, isolated Scene, Result) -> Void

  init(_ body: @escaping (Delegate, isolated Scene, Result) -> Void) {
    self.body = body
  }

  override func resume(_ scene: isolated Scene, _ result: any Sendable) {
    guard let delegate = scene.delegate as? Delegate, let result = result as? Result else {
      return
    }
    body(delegate, scene, result)
  }
}

extension Scene {
  func ensureExtras() -> SceneExtras {
    if let extras { return extras }
    let made = SceneExtras()
    extras = made
    return made
  }
}
