// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The place where the answer to one awaited request is left, and taken from once.
///
/// The caller has drained the shard first, so that the answer is usually there already. Only
/// if the request's lane is parked does the task wait on a continuation.
///
/// There is a class for each kind of answer: the end of a generic one would look its layout up in
/// the language's runtime every time, in a table that all processors share.
protocol Ticket: AnyObject, Sendable {
  associatedtype Value: Sendable

  init()

  var cell: TicketCell<Value> { get }
}

/// Awaits that a request is done.
final class CompletionTicket: Ticket {
  let cell = TicketCell<Void>()
}

extension Ticket {
  /// Leaves the answer.
  ///
  /// The first one counts; later ones are ignored.
  @inline(__always)
  func answer(_ result: Result<Value, SceneError>) {
    cell.answer(result)
  }

  /// Takes the answer, waiting for it if it is not there yet.
  ///
  /// It can be taken once.
  @inline(__always)
  func value() async throws(SceneError) -> Value {
    try await cell.value()
  }

  /// Takes the answer, if it is there: as a rule, once the shard has been drained.
  ///
  /// Asking for it first spares the usual path an asynchronous call.
  @inline(__always)
  func takeAnswer() -> Result<Value, SceneError>? {
    cell.takeAnswer()
  }
}

/// What a ticket consists of.
struct TicketCell<Value: Sendable>: ~Copyable, Sendable {
  enum State {
    case open
    case awaited(Sleeper)
    case answered(Result<Value, SceneError>)
    case taken
  }

  let state = Guarded(State.open)

  borrowing func answer(_ result: Result<Value, SceneError>) {
    let sleeper = state.withLock { state -> Sleeper? in
      switch state {
      case .open:
        state = .answered(result)
        return nil
      case .awaited(let sleeper):
        state = .answered(result)
        return sleeper
      case .answered, .taken:
        return nil
      }
    }
    sleeper?.wake()
  }

  /// Whether the answer was left, or taken.
  var isAnswered: Bool {
    state.withLock { state in
      switch state {
      case .open, .awaited: false
      case .answered, .taken: true
      }
    }
  }

  borrowing func value() async throws(SceneError) -> Value {
    if let result = takeAnswer() { return try result.get() }
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard case .open = state else { return false }
        state = .awaited(sleeper)
        return true
      }
    }
    guard let result = takeAnswer() else {
      preconditionFailure("a ticket is resumed only after its answer was left, and taken once")
    }
    return try result.get()
  }

  borrowing func takeAnswer() -> Result<Value, SceneError>? {
    state.withLock { state in
      guard case .answered(let result) = state else { return nil }
      state = .taken
      return result
    }
  }
}
