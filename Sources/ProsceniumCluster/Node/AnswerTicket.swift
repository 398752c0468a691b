// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// The place where the answer of another node is left, and taken from once.
  final class AnswerTicket: Sendable {
    private enum State: Sendable {
      case open
      case awaited(CheckedContinuation<Result<SceneMessage, SceneError>, Never>)
      case answered(Result<SceneMessage, SceneError>)
    }

    private let state = Guarded(State.open)

    /// Leaves the answer; the first one counts.
    @Sendable func answer(_ result: Result<SceneMessage, SceneError>) {
      let continuation = state.withLock { state in
        defer {
          if case .answered = state {} else { state = .answered(result) }
        }
        if case .awaited(let continuation) = state { return Optional(continuation) }
        return nil
      }
      continuation?.resume(returning: result)
    }

    /// Waits for the answer.
    ///
    /// - Throws: What the other node refuses; `outcomeUnknown` if it has died.
    func value() async throws(SceneError) -> ContentAnswer {
      let result = await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Result<SceneMessage, SceneError>? in
          if case .answered(let result) = state { return result }
          state = .awaited(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
      return try ContentAnswer.decoded(try result.get())
    }
  }
#endif
