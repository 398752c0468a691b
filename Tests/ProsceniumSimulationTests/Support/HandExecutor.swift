// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// Runs tasks only when it is told to, one after the other, where it is told.
final class HandExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs what is ready, and what becomes ready by it.
  func runAll() {
    while true {
      let ready = jobs.withLock { jobs in
        defer { jobs.removeAll() }
        return jobs
      }
      if ready.isEmpty { return }
      for job in ready { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
