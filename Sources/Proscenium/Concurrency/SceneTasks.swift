// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The tasks that scenes have started, or that bring events to other processes, and that still run.
///
/// They end with their scenes, or when they are done; ``Application/run()`` waits for the last one.
final class SceneTasks: Sendable {
  typealias Handle = Task<Void, any Error>

  private struct State: Sendable {
    var tasks: [Int: Handle] = [:]
    var nextNumber = 0
  }

  private let spawner: Spawner
  private let state = Guarded(State())

  init(executor: (any TaskExecutor)?) {
    spawner = Spawner(executor: executor)
  }

  func start(_ operation: @escaping @Sendable () async -> Void) -> Handle {
    // Under the lock, so that a task which is done at once takes itself out after it was put in.
    state.withLock { state in
      state.nextNumber += 1
      let number = state.nextNumber
      let task = spawner.start { [self] in
        await operation()
        self.state.withLock { $0.tasks[number] = nil }
      }
      state.tasks[number] = task
      return task
    }
  }

  /// Cancels what still runs and waits for it.
  func end() async {
    let tasks = state.withLock { state in
      defer { state.tasks = [:] }
      return state.tasks.values
    }
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
  }
}
