// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A slow machine for those who start tasks: each job runs before its starter goes on.
///
/// Where a task is started before another is ready to see what it does, it is not seen here. A job
/// that takes long, or that waits for its starter, is left behind after a moment.
final class OvertakingExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasRun = DispatchSemaphore(value: 0)
    // A thread each: a pool would run out of them, since starters wait.
    Thread.detachNewThread {
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
      hasRun.signal()
    }
    _ = hasRun.wait(timeout: .now() + .milliseconds(50))
  }
}
