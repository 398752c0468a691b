// SPDX-License-Identifier: Apache-2.0

/// What takes messages and requests for sessions that other processes serve.
package struct Neighbours: Sendable {
  /// Whether work for sessions that are open here may have to wait behind other work, which came
  /// before the sessions.
  package var holdBack: @Sendable () -> Bool
  /// Takes work over whose session is not open here, or has to wait.
  ///
  /// It throws `limitExceeded` for a request that is too large.
  package var forward: Forward
  /// Waits until there may be room for work of a session, after some was refused.
  package var waitForRoom: @Sendable (_ session: SessionIdentifier) async -> Void
  /// An identifier of the place where sessions of a group or of an owner are made, or nil if they
  /// are made anywhere.
  package var place: @Sendable (SceneGroup?, _ owner: String?) -> SessionIdentifier?
  /// Takes no more work, since the application is about to end: who waits for an answer gets none
  /// any more.
  package var close: @Sendable () -> Void

  /// What takes work over.
  package typealias Forward =
    @Sendable (ForwardedWork, _ session: SessionIdentifier) throws(SceneError) -> Forwarding

  package init(
    holdBack: @escaping @Sendable () -> Bool, forward: @escaping Forward,
    waitForRoom: @escaping @Sendable (SessionIdentifier) async -> Void,
    place: @escaping @Sendable (SceneGroup?, String?) -> SessionIdentifier?,
    close: @escaping @Sendable () -> Void
  ) {
    self.holdBack = holdBack
    self.forward = forward
    self.waitForRoom = waitForRoom
    self.place = place
    self.close = close
  }
}

/// What has become of work for a session that another process may serve.
package enum Forwarding: Sendable {
  case taken
  /// There is no room for it now.
  case full
  /// It is not for another process, and nothing comes before it.
  case notElsewhere
}
