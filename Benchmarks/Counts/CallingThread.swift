// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs tasks on the thread that waits for their end, one job after another, so that no other
/// thread takes turns with it by chance.
final class CallingThread: TaskExecutor {
  /// The one of the program.
  static let main = CallingThread()

  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Runs work that ends the program.
  func run(_ work: @escaping @Sendable () async -> Never) -> Never {
    Task(executorPreference: self) { await work() }
    while true {
      arrivals.wait()
      let job = jobs.withLock { $0.removeFirst() }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
