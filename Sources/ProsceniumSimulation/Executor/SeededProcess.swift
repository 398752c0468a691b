// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The tasks of a ``SeededExecutor`` that belong to one process of several, which can be frozen
/// while the others go on.
///
/// Its tasks take turns with those of the whole run. While it is frozen none of them is drawn; what
/// has woken them by then waits with them.
package final class SeededProcess: TaskExecutor {
  private struct State: Sendable {
    var isFrozen = false
    /// What could run if the process were not frozen.
    var held: [UnownedJob] = []
  }

  private let executor: SeededExecutor
  private let state = Guarded(State())

  /// Creates a process of a run.
  ///
  /// - Parameter executor: What runs it.
  package init(_ executor: SeededExecutor) {
    self.executor = executor
  }

  /// Whether none of its tasks is drawn.
  package var isFrozen: Bool { state.withLock { $0.isFrozen } }

  /// Takes up a part of a task; the runtime of the language calls it.
  ///
  /// - Parameter job: The part.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = state.withLock { state in
      if state.isFrozen { state.held.append(job) }
      return state.isFrozen
    }
    if !isHeld { executor.add(job, of: self) }
  }

  /// Draws none of its tasks from here on.
  package func freeze() {
    state.withLock { $0.isFrozen = true }
    let held = executor.removeJobs(of: self)
    state.withLock { $0.held += held }
  }

  /// Lets its tasks go on.
  package func thaw() {
    let held = state.withLock { state in
      state.isFrozen = false
      defer { state.held = [] }
      return state.held
    }
    for job in held { executor.add(job, of: self) }
  }
}
