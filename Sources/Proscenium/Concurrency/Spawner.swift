// SPDX-License-Identifier: Apache-2.0

/// Starts the tasks that must go on when the task that started them is cancelled.
///
/// The only place that creates a task outside a group. The owner keeps it and awaits it,
/// so that none outlives ``Application/run()``.
package struct Spawner: Sendable {
  /// Where tasks run, or nil for the pool.
  let executor: (any TaskExecutor)?

  /// Creates a spawner whose tasks run on an executor, or on the pool.
  package init(executor: (any TaskExecutor)?) {
    self.executor = executor
  }

  /// Starts a task and returns it.
  ///
  /// - Parameters:
  ///   - priority: How urgent it is among the others of the pool, if it is.
  ///   - operation: What it does.
  /// - Returns: The task, which the caller keeps and awaits.
  package func start(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws -> Void
  ) -> Task<Void, any Error> {
    Task(executorPreference: executor, priority: priority) { try await operation() }
  }
}
