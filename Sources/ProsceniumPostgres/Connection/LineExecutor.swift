// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Dispatch

  /// Runs the parts of one actor in order, on a thread that may wait for the network.
  ///
  /// Waiting must not be done on a thread of the pool, which runs scenes.
  final class LineExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) {
      queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Runs work on the executor after a while.
    func start(after time: Duration, _ work: @escaping @Sendable () -> Void) {
      let (seconds, attoseconds) = time.components
      let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
      queue.asyncAfter(
        deadline: .now() + .nanoseconds(Int(clamping: nanoseconds)), execute: work)
    }

    func checkIsolated() {
      dispatchPrecondition(condition: .onQueue(queue))
    }
  }
#endif
