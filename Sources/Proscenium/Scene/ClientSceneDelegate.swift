// SPDX-License-Identifier: Apache-2.0

/// A scene's delegate that has output for the clients of its session.
///
/// A delegate that is none gives them nothing when they need everything again; what it emits by
/// ``Scene/emit(_:)`` they get as any other.
public protocol ClientSceneDelegate: SceneDelegate {
  /// Begins a reply that comes in pieces: now, and later by work that the scene starts.
  ///
  /// The caller of another delegate, or of one without this method, gets
  /// ``SceneError/Code/unhandledCall``.
  func scene(
    _ scene: isolated Scene, streamReplyTo message: SceneMessage, into reply: ReplyStream)

  /// Emits everything that a client has to show, from the first frame on.
  ///
  /// It is called when a client cannot go on with what it shows: see ``OutputReset`` for the
  /// reasons. Other clients of the session receive these frames as well.
  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset)
}

extension ClientSceneDelegate {
  /// Reports the call as unhandled.
  public func scene(
    _ scene: isolated Scene, streamReplyTo message: SceneMessage, into reply: ReplyStream
  ) {
    scene.isUnhandled = true
  }

  /// Emits nothing.
  public func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {}
}
