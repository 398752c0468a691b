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
  /// One shard, whose executor the test holds; the application has one of the pool.
  mutating func useOneShard(on executor: HeldExecutor) {
    let leases = Leased([.pool(), ExecutorLease(executor: executor)])
    shards = 1
    makeExecutor = { leases.next() }
  }

  /// One shard of the pool; the test holds the application's executor.
  mutating func useOneShard(withApplicationOn executor: HeldExecutor) {
    let leases = Leased([ExecutorLease(executor: executor), .pool()])
    shards = 1
    makeExecutor = { leases.next() }
  }
}
