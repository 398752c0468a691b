// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The callback that runs now on a shard, and since when.
final class CallbackWatch: Sendable {
  private struct Call: Sendable {
    let callback: DelegateCallback
    let session: SessionIdentifier
    let begin: Duration
    var isReported = false
  }

  private let budget: Duration
  private let running = Guarded<Call?>(nil)

  /// Creates a watch of a shard on which nothing runs.
  init(budget: Duration) {
    self.budget = budget
  }

  /// When the budget of the callback that runs is used up; nil if none runs, or it was reported.
  var deadline: Duration? {
    running.withLock { running in
      running.flatMap { $0.isReported ? nil : $0.begin + budget }
    }
  }

  /// Takes note of the beginning of a callback.
  ///
  /// - Returns: Whether it is timed: one that is called inside of another belongs to that one.
  func begin(_ callback: DelegateCallback, of session: SessionIdentifier, at time: Duration) -> Bool
  {
    running.withLock { running in
      guard running == nil else { return false }
      running = Call(callback: callback, session: session, begin: time)
      return true
    }
  }

  /// Takes note of the end of the callback; returns it if it has used up its budget.
  func end(at time: Duration) -> SlowCallback? {
    running.withLock { running in
      guard let call = running.take() else { return nil }
      return slow(call, at: time, isRunning: false)
    }
  }

  /// Returns the callback that runs, once, if it has used up its budget.
  func takeOverdue(at time: Duration) -> SlowCallback? {
    running.withLock { running in
      guard let call = running, !call.isReported else { return nil }
      guard let slow = slow(call, at: time, isRunning: true) else { return nil }
      running?.isReported = true
      return slow
    }
  }

  private func slow(_ call: Call, at time: Duration, isRunning: Bool) -> SlowCallback? {
    let duration = time - call.begin
    guard duration >= budget else { return nil }
    return SlowCallback(
      callback: call.callback, session: call.session, duration: duration, isRunning: isRunning,
      isFirstReport: !call.isReported)
  }
}

/// A callback that has used up its budget.
struct SlowCallback: Sendable, Equatable {
  let callback: DelegateCallback
  let session: SessionIdentifier
  /// How long it took, or runs by now.
  let duration: Duration
  let isRunning: Bool
  let isFirstReport: Bool
}
