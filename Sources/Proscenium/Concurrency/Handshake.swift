// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// An answer that one executor leaves and that the lane of a session may have to wait for.
///
/// The shard may come to the lane's item before the answer is there. One handshake under one lock
/// settles who was first: if the answer is there, nothing is parked; if it is not, the shard parks
/// the lane, and the answer releases it.
final class Handshake<Answer: Sendable>: Sendable {
  private enum State {
    case asked
    case parked
    case answered(Answer)
  }

  private let state = Guarded(State.asked)

  /// Leaves the answer; returns whether a lane waits for it and is to be released.
  func answer(_ answer: Answer) -> Bool {
    state.withLock { state in
      defer { state = .answered(answer) }
      if case .parked = state { return true }
      return false
    }
  }

  /// Returns the answer; nil promises the caller that it will be released.
  func answerOrPark() -> Answer? {
    state.withLock { state in
      if case .answered(let answer) = state { return answer }
      state = .parked
      return nil
    }
  }

  /// The answer, once it is there.
  var given: Answer? {
    state.withLock { state in
      if case .answered(let answer) = state { answer } else { nil }
    }
  }
}
