// SPDX-License-Identifier: Apache-2.0

/// The question which configuration a new session has, put to the application delegate.
///
/// The shard may reach the session's first plan before the delegate has answered. One handshake
/// under one lock settles who was first: if the answer is there, nothing is parked; if it is not,
/// the shard parks the lane, and whoever answers releases it.
final class ConfigurationQuestion: Sendable {
  private enum State {
    case asked
    case parked
    case answered(Result<SceneConfiguration, SceneError>)
  }

  let session: SceneSession
  let options: Scene.ConnectionOptions
  private let state = Guarded(State.asked)

  init(session: SceneSession, options: Scene.ConnectionOptions) {
    self.session = session
    self.options = options
  }

  /// Leaves the answer; returns whether a lane waits for it and is to be released.
  func answer(_ result: Result<SceneConfiguration, SceneError>) -> Bool {
    state.withLock { state in
      defer { state = .answered(result) }
      if case .parked = state { return true }
      return false
    }
  }

  /// Returns the answer; nil promises the caller that it will be released.
  func answerOrPark() -> Result<SceneConfiguration, SceneError>? {
    state.withLock { state in
      if case .answered(let result) = state { return result }
      state = .parked
      return nil
    }
  }

  /// The answer, once it is there.
  var given: Result<SceneConfiguration, SceneError>? {
    state.withLock { state in
      if case .answered(let result) = state { result } else { nil }
    }
  }
}
