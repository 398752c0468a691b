// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs an application's tasks apart from the pool, whose threads a test may block while all others
/// wait for theirs.
final class ApartExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "apart", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
