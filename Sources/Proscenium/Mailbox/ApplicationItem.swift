// SPDX-License-Identifier: Apache-2.0

/// Something that the application delegate is still to be asked or told.
///
/// The queue is served on the application actor: by tasks that wait for an answer, and by a task of
/// the application's own for the rest.
enum ApplicationItem: Sendable {
  case ask(ConfigurationQuestion, SessionHandle)
  case discard(Discard)
  /// The user's answer to a notification, for a scene that waits for it on its way to the user.
  case respond(NotificationResponse, Scene, SessionHandle, Handshake<Void>)

  /// Tells the waiting caller that the delegate will not be asked or told; what waits for an answer
  /// is in the lane of a session.
  func fail(_ error: SceneError) {
    if case .discard(let discard) = self { discard.plan.fail(error) }
  }
}

/// A session whose scene is gone and whose end is to be told.
struct Discard: Sendable {
  let session: SceneSession
  let handle: SessionHandle
  let reason: LifecycleEvent.Reason
  let plan: Plan
}
