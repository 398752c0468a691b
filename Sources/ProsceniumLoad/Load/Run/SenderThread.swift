// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// A thread on which one sender runs, apart from the pool that runs the shards.
///
/// In the pool a sender would wait for the shards and the shards for it: the load would measure
/// its own turns. What a sender helps with when a queue is full runs here as well.
final class SenderThread: TaskExecutor {
  // A serial queue without a target has a thread of its own whenever it has work.
  private let queue: DispatchQueue

  init(number: Int) {
    queue = DispatchQueue(label: "proscenium.load.sender-\(number)", qos: .userInteractive)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Keeps the current thread, which is that of a sender, from running for a while.
  ///
  /// The timer of a sleeping task would wait for a thread of the pool.
  ///
  /// - Parameter seconds: How long; at least 20 µs and at most a millisecond, so that a test that
  ///   is interrupted ends soon.
  static func pause(seconds: Double) {
    usleep(UInt32(min(max(seconds, 0.000_02), 0.001) * 1e6))
  }
}
