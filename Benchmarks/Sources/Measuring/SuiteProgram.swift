// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Foundation

/// The program of one suite.
///
/// The library that runs the benchmarks blocks its thread while one is run. Were it a thread of the
/// pool that all tasks share, one processor fewer would be measured.
package enum SuiteProgram {
  /// Runs the benchmarks that the function adds, as the command line says.
  package static func run(_ addContests: @Sendable () -> Void) async {
    BenchmarkFailure.keepStandardError()
    do {
      try RunCircumstances.write()
    } catch {
      BenchmarkFailure("the results cannot be written: \(error)").end()
    }
    await withTaskExecutorPreference(OwnThread()) {
      await BenchmarkRunner.setupBenchmarkRunner(registerBenchmarks: addContests)
    }
  }
}

/// Runs each job on a thread of its own: there are few, as a job ends when its task waits.
private final class OwnThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
