// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The place where the answer to one awaited request is left.
///
/// Whoever awaits it has drained the shard first, so that the answer is usually there already. Only
/// if the request's lane is parked does the task wait on a continuation.
final class Ticket<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(Sleeper)
    case answered(Result<Value, SceneError>)
  }

  private let state = Guarded(State.open)

  /// Leaves the answer.
  ///
  /// The first one counts; later ones are ignored.
  func answer(_ result: Result<Value, SceneError>) {
    let sleeper = state.withLock { state -> Sleeper? in
      switch state {
      case .open:
        state = .answered(result)
        return nil
      case .awaited(let sleeper):
        state = .answered(result)
        return sleeper
      case .answered:
        return nil
      }
    }
    sleeper?.wake()
  }

  /// Returns the answer, waiting for it if it is not there yet.
  func value() async throws(SceneError) -> Value {
    if let result = answered { return try result.get() }
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard case .open = state else { return false }
        state = .awaited(sleeper)
        return true
      }
    }
    guard let result = answered else {
      preconditionFailure("a ticket is resumed only after its answer was left")
    }
    return try result.get()
  }

  /// The answer, if it is there: as a rule, once the shard has been drained.
  ///
  /// Asking for it first spares the usual path an asynchronous call.
  var answered: Result<Value, SceneError>? {
    state.withLock { state in
      if case .answered(let result) = state { result } else { nil }
    }
  }
}
