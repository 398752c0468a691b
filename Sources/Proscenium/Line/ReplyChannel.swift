// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What is between the two ends of a reply that comes in pieces.
final class ReplyChannel: Sendable {
  private struct State: Sendable {
    var pieces = Queue<SceneMessage>()
    var count = 0
    var end: Result<Void, SceneError>?
    var isCancelled = false
    var sleeper: Sleeper?
  }

  /// What has become of a piece.
  enum Sending: Sendable {
    case sent
    case full
    case cancelled
    case ended
  }

  private let state = Guarded(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func send(_ piece: SceneMessage) -> Sending {
    let (sending, sleeper) = state.withLock { state -> (Sending, Sleeper?) in
      if state.isCancelled { return (.cancelled, nil) }
      if state.end != nil { return (.ended, nil) }
      if state.count == ReplyStream.limit { return (.full, nil) }
      state.pieces.append(piece)
      state.count += 1
      return (.sent, state.sleeper.take())
    }
    sleeper?.wake()
    return sending
  }

  /// Ends the reply; the first end counts.
  func end(_ result: Result<Void, SceneError>) {
    let sleeper = state.withLock { state -> Sleeper? in
      if state.end != nil { return nil }
      state.end = result
      return state.sleeper.take()
    }
    sleeper?.wake()
  }

  /// Notes that nothing more is wanted.
  func cancel() {
    let sleeper = state.withLock { state -> Sleeper? in
      state.isCancelled = true
      return state.sleeper.take()
    }
    sleeper?.wake()
  }

  /// Waits for the next piece; nil after the last one, or when the caller has gone.
  func next() async throws(SceneError) -> SceneMessage? {
    while true {
      var next: Result<SceneMessage?, SceneError>?
      await Sleeper.sleep { sleeper in
        state.withLock { state in
          if let piece = state.pieces.popFirst() {
            state.count -= 1
            next = .success(piece)
          } else if state.isCancelled {
            next = .success(nil)
          } else if let end = state.end {
            next = end.map { nil }
          } else {
            state.sleeper = sleeper
            return true
          }
          return false
        }
      }
      if let next { return try next.get() }
    }
  }
}
