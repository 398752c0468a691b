// SPDX-License-Identifier: Apache-2.0

/// What takes messages and requests for sessions that other processes serve.
package final class Neighbours: Sendable {
  /// Whether work for sessions that are open here may have to wait behind other work, which came
  /// before the sessions.
  package let holdBack: @Sendable () -> Bool
  /// Takes work over whose session is not open here, or has to wait.
  ///
  /// It throws `limitExceeded` for a request that is too large.
  package let forward: Forward
  /// Waits until there may be room for work of a session, after some was refused.
  package let waitForRoom: @Sendable (_ session: SessionIdentifier) async -> Void
  /// Looks for the content of an event in the other processes too.
  ///
  /// It throws `systemBusy` if too many events are on their way, and as `forward` does.
  package let route: Routing
  /// Looks in the other processes too for the session that prefers the content of an activation.
  ///
  /// It throws as `route` does.
  package let findPreferring: Finding
  /// Is told of the terms by which the sessions here are found; with the router's lock held.
  package let noteTerm: TermObserver
  /// An identifier of the place where a session is made, or nil if it is made anywhere.
  package let place: @Sendable (SessionPlacement) -> SessionIdentifier?
  /// Takes no more work, since the application is about to end: who waits for an answer gets none
  /// any more.
  package let close: @Sendable () -> Void

  /// What takes work over.
  package typealias Forward =
    @Sendable (ForwardedWork, _ session: SessionIdentifier) throws(SceneError) -> Forwarding

  /// What decides where an event goes.
  package typealias Routing =
    @Sendable (RoutedEvent) throws(SceneError) -> ContentSearch<SceneSession>

  /// What looks for a session by its content; the search finds none if that is to be made.
  package typealias Finding =
    @Sendable (_ identifier: String, _ source: SessionIdentifier?) throws(SceneError) ->
    ContentSearch<SessionIdentifier?>

  package init(
    holdBack: @escaping @Sendable () -> Bool, forward: @escaping Forward,
    waitForRoom: @escaping @Sendable (SessionIdentifier) async -> Void,
    route: @escaping Routing, findPreferring: @escaping Finding,
    noteTerm: @escaping TermObserver,
    place: @escaping @Sendable (SessionPlacement) -> SessionIdentifier?,
    close: @escaping @Sendable () -> Void
  ) {
    self.holdBack = holdBack
    self.forward = forward
    self.waitForRoom = waitForRoom
    self.route = route
    self.findPreferring = findPreferring
    self.noteTerm = noteTerm
    self.place = place
    self.close = close
  }
}

/// Who decides which session shows some content.
package enum ContentSearch<Found: Sendable>: Sendable {
  /// This process, among its own sessions.
  case here
  /// Other processes have it, or are asked; the function waits for what they find.
  case elsewhere(@Sendable () async throws(SceneError) -> Found)
}

/// What has become of work for a session that another process may serve.
package enum Forwarding: Sendable {
  case taken
  /// There is no room for it now.
  case full
  /// It is not for another process, and nothing comes before it.
  case notElsewhere
}
