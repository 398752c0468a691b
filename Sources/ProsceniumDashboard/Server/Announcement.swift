// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A value that is set once and that several tasks may wait for.
final class Announcement<Value: Sendable>: Sendable {
  typealias Answer = Result<Value, DashboardError>

  private struct State: Sendable {
    var answer: Answer?
    var nextKey = 0
    var waiting: [Int: CheckedContinuation<Answer?, Never>] = [:]
  }

  private let state = Guarded(State())

  /// Gives the answer; later ones are dropped.
  func give(_ answer: Answer) {
    let waiting = state.withLock { state -> [CheckedContinuation<Answer?, Never>] in
      guard state.answer == nil else { return [] }
      state.answer = answer
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: answer) }
  }

  /// Waits for the answer.
  ///
  /// - Returns: The value, or nil if the task was cancelled before.
  /// - Throws: The error that was given.
  func value() async throws(DashboardError) -> Value? {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now = state.withLock { state -> Answer?? in
          if let answer = state.answer { return .some(answer) }
          if Task.isCancelled { return .some(nil) }
          state.waiting[key] = continuation
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      let waiting = state.withLock { $0.waiting.removeValue(forKey: key) }
      waiting?.resume(returning: nil)
    }
    return try answer?.get()
  }
}
