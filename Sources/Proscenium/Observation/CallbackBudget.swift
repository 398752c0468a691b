// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import ProsceniumPrimitives
import Synchronization

/// The time that a callback may take, and who looks whether it does.
///
/// The task that looks sleeps until the earliest callback that runs has used up its budget, and
/// rests while none runs: an application that does nothing is not woken for it. The first callback
/// after a rest wakes it, so that this happens once a budget at most.
final class CallbackBudget: Sendable {
  /// One for each shard.
  let watches: [CallbackWatch]
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let counter: Counter
  private let doorbell = Guarded(Doorbell())
  /// Whether the task that looks is to be woken by the next callback.
  private let isResting = Atomic<Bool>(false)

  /// Creates watches for all shards.
  ///
  /// - Parameters:
  ///   - limit: The time that a callback may take, inside its range.
  ///   - clock: Times the callbacks.
  ///   - metrics: Has the counter of slow callbacks.
  ///   - shards: How many shards there are.
  init(
    _ limit: Duration, clock: any Clock<Duration>, metrics: any MetricsFactory, shards: Int
  ) {
    watches = (0..<shards).map { _ in CallbackWatch(budget: limit) }
    self.clock = clock
    elapsed = clock.stopwatch()
    counter = Counter(label: "proscenium_slow_callbacks", factory: metrics)
  }

  /// Takes note of the beginning of a callback; returns whether it is timed.
  func begin(_ callback: DelegateCallback, of session: SessionIdentifier, on shard: Int) -> Bool {
    guard watches[shard].begin(callback, of: session, at: elapsed()) else { return false }
    // A shard that rests has said so before it looked at the watch, behind the watch's lock.
    if isResting.load(ordering: .relaxed) { ring() }
    return true
  }

  /// Takes note of the end of a timed callback; returns it if it has used up its budget.
  func end(on shard: Int) -> SlowCallback? {
    count(watches[shard].end(at: elapsed()))
  }

  /// Returns the callbacks that run and have used up their budgets, each of them once.
  func takeOverdue() -> [SlowCallback] {
    let now = elapsed()
    return watches.compactMap { count($0.takeOverdue(at: now)) }
  }

  private func count(_ slow: SlowCallback?) -> SlowCallback? {
    if slow?.isFirstReport == true { counter.increment() }
    return slow
  }

  // MARK: - The task that looks

  /// Waits until a callback may have used up its budget; returns false once the task is cancelled.
  func waitForLook() async -> Bool {
    if deadline == nil { await rest() }
    // A sleep that is cut short has nothing to report.
    if let deadline { try? await clock.sleep(for: deadline - elapsed()) }
    return !Task.isCancelled
  }

  /// When the first callback of those that run has used up its budget.
  private var deadline: Duration? { watches.compactMap(\.deadline).min() }

  /// Sleeps until a callback runs, or the task is cancelled.
  private func rest() async {
    await withTaskCancellationHandler {
      await Sleeper.sleep { sleeper in
        doorbell.withLock { doorbell in
          isResting.store(true, ordering: .relaxed)
          guard deadline == nil, !Task.isCancelled else {
            isResting.store(false, ordering: .relaxed)
            return false
          }
          doorbell.rest(sleeper)
          return true
        }
      }
    } onCancel: {
      ring()
    }
  }

  private func ring() {
    let sleeper = doorbell.withLock { doorbell in
      isResting.store(false, ordering: .relaxed)
      return doorbell.ring()
    }
    sleeper?.wake()
  }
}

extension EventHub {
  /// Reports a callback that has used up its budget.
  func report(_ slow: SlowCallback) {
    diagnose(
      .slowCallback(slow.callback, duration: slow.duration, isRunning: slow.isRunning),
      slow.session)
  }
}
