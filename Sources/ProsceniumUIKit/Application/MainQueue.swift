// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
package import Proscenium

/// The main queue: where the program's callbacks run, and what it leaves for later.
///
/// All of it runs as operations of `OperationQueue.main`. An observer of a notification that names
/// this queue is then called at once, inside of the post; a post from elsewhere on the main actor
/// would wait for an operation that can only run after it.
@MainActor
package enum MainQueue {
  /// A closure on its way; it is made and called on the main actor.
  @MainActor
  private final class Item {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
      self.body = body
    }
  }

  /// Runs jobs on the main actor, as operations of its queue.
  private final class Executor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      OperationQueue.main.addOperation {
        unsafe job.runSynchronously(on: MainActor.sharedUnownedExecutor)
      }
    }

    func checkIsolated() {
      dispatchPrecondition(condition: .onQueue(.main))
    }
  }

  /// Leases the main queue to an application and to its shard.
  package nonisolated static func lease() -> ExecutorLease {
    ExecutorLease(executor: executor)
  }

  private nonisolated static let executor = Executor()

  /// Calls a function when what runs now, and what was left for later before, has run.
  package static func later(_ body: @escaping () -> Void) {
    let item = Item(body)
    OperationQueue.main.addOperation {
      MainActor.assumeIsolated { item.body() }
    }
  }

  /// Waits until what was left for later has run.
  package static func drain() async {
    await withCheckedContinuation { continuation in later { continuation.resume() } }
  }
}
