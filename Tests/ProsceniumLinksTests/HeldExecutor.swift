// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ProsceniumPrimitives

/// Runs the first job of a task, and the next ones when it is told to.
final class HeldExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "held")
  private let state = Guarded<(isFirst: Bool, held: [UnownedJob]?)>((true, []))

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let runs = state.withLock { state in
      defer { state.isFirst = false }
      if state.isFirst || state.held == nil { return true }
      state.held?.append(job)
      return false
    }
    if runs { run(job) }
  }

  /// Runs what was held, and from now on all that comes.
  func letGo() {
    let held = state.withLock { state in
      defer { state.held = nil }
      return state.held ?? []
    }
    for job in held { run(job) }
  }

  private func run(_ job: UnownedJob) {
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
