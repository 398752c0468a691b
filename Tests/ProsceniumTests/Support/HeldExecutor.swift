// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Proscenium

/// A serial executor that a test can hold, so that what is submitted piles up.
///
/// It is held while nothing runs, and has to be let go before the application can end.
final class HeldExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "held")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func hold() { queue.suspend() }
  func letGo() { queue.resume() }
}

extension ApplicationSettings {
  /// Makes one shard; it and the application have executors of the test, or of the pool.
  ///
  /// What blocks in the middle of a decision needs an executor of the test, or a thread of the pool
  /// is gone in between, of which there may be but one.
  mutating func useOneShard(
    on shard: HeldExecutor? = nil, withApplicationOn application: HeldExecutor? = nil
  ) {
    let leases = Leased(
      [application, shard].map { executor in
        executor.map { ExecutorLease(executor: $0) } ?? .pool()
      })
    shards = 1
    makeExecutor = { leases.next() }
  }
}
