// SPDX-License-Identifier: Apache-2.0

/// The question which configuration a session has, put to the application delegate.
final class ConfigurationQuestion: Sendable {
  let session: SceneSession
  let options: Scene.ConnectionOptions
  /// Whether the session is new; one of an earlier run keeps what it has if the answer is no use.
  let isFirst: Bool
  let handshake = Handshake<Result<SceneConfiguration, SceneError>>()

  init(session: SceneSession, options: Scene.ConnectionOptions, isFirst: Bool) {
    self.session = session
    self.options = options
    self.isFirst = isFirst
  }

  /// The answer, once it is there.
  var given: Result<SceneConfiguration, SceneError>? { handshake.given }
}
