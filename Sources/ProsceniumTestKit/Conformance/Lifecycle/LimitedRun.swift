// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// Runs something that may never come to its end.
final class LimitedRun<Result: Sendable>: Sendable {
  private let result = Guarded<Result?>(nil)
  private let done = Signal()

  /// Runs a body and returns its result, or nil if the time is over before.
  ///
  /// A body whose time is over is cancelled and left to itself: one that hangs cannot be waited
  /// for.
  static func result(
    within limit: Duration, _ clock: any Clock<Duration>,
    _ body: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let run = LimitedRun()
    let task = Spawner(executor: nil).start {
      let result = await body()
      run.result.withLock { $0 = result }
      run.done.give()
    }
    await withTaskGroup { group in
      group.addTask { await run.done.wait() }
      group.addTask { try? await clock.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
    task.cancel()
    return run.result.withLock { $0 }
  }
}
