// SPDX-License-Identifier: Apache-2.0

// Requests, in both forms.
extension Application {
  /// Brings a session to the foreground, made if need be, and returns it after the transition.
  ///
  /// Without a session, one whose conditions *prefer* the activity's content identifier is used
  /// again; otherwise a new session is made (semantics#activation).
  ///
  /// - Parameter request: The session or none, what its scene is to show, who asks, and for which
  ///   group.
  /// - Returns: The session as it is after the transition.
  /// - Throws: ``SceneError/Code/sessionNotOpen``, `quotaReached`, `refusedByPolicy`,
  ///   `multipleScenesNotSupported`, `roleMismatch`, `restorationTimedOut`, `systemBusy`, or
  ///   `notRunning` after the end.
  @discardableResult
  public nonisolated func activateSceneSession(
    for request: SceneSessionActivationRequest = .init()
  ) async throws(SceneError) -> SceneSession {
    try await commands.activate(request)
  }

  /// Updates what is kept of a session that is not in the foreground (semantics#refresh).
  ///
  /// An archived session is connected in the background first and stays connected. It returns when
  /// the refresh was fulfilled or dropped; a session that is not open, or in the foreground, is
  /// left alone (R-RF-1, R-RF-6).
  ///
  /// - Throws: `systemBusy`, or `notRunning` after the end.
  public nonisolated func requestSceneSessionRefresh(
    _ session: SessionIdentifier
  ) async throws(SceneError) {
    _ = try await commands.performOptional(.refresh(session), RequestTicket.completion)
  }

  /// Ends a session for good and returns when the delegate was told
  /// (semantics#destruction-and-discard).
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reason: Why it ends.
  /// - Throws: `sessionNotOpen`, `onlySession` of a single-scene application, `refusedByPolicy`, or
  ///   `notRunning` after the end. It is never refused for load.
  public nonisolated func requestSceneSessionDestruction(
    _ session: SessionIdentifier, reason: Scene.DestructionReason = .standard
  ) async throws(SceneError) {
    try await commands.perform(.destroy(session, reason), RequestTicket.completion)
  }

  /// Submits a request: it takes its place in the order of all requests before this returns.
  ///
  /// From a callback of the launch it is kept, and takes its place when the launch is over.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onFailure: Called at most once, if the request is refused (then before this returns) or
  ///     fails later (then on the executor where it did). It must not block.
  public nonisolated func submit(
    _ request: SessionRequest, onFailure: (@Sendable (SceneError) -> Void)? = nil
  ) {
    commands.submit(Command(request), onFailure)
  }

  /// Routes an event to a scene by its content and returns the session after the delivery.
  ///
  /// A session whose conditions prefer the identifier is chosen before one that merely can show it;
  /// without either a new session is made (semantics#routing-decision). The scene comes to the
  /// foreground.
  ///
  /// In a group it is routed as if there were no other sessions, and a new one is made in it, as
  /// among the windows of one user. The time of that grows with the number of its sessions.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - group: The group whose sessions are candidates, or `nil` for all sessions.
  ///   - source: The session in which the event arose; it is chosen among equals (R-RT-6).
  /// - Returns: The session as it is after the delivery.
  /// - Throws: As ``activateSceneSession(for:)``.
  @discardableResult
  public nonisolated func deliver(
    _ event: SceneEvent, in group: SceneGroup? = nil, source: SessionIdentifier? = nil
  ) async throws(SceneError) -> SceneSession {
    try await commands.deliver(RoutedEvent(event, source: source, group: group))
  }

  /// Gives the data of an activity of another device to the scene that was told of it.
  ///
  /// The scene stays where it is (semantics#hand-off).
  ///
  /// - Parameters:
  ///   - activityType: The type that a hand-off event announced.
  ///   - activity: The activity: `scene(_:continue:)`.
  /// - Throws: `handoffNotAnnounced` if no open session waits for it, `systemBusy` or `notRunning`.
  ///   If the scene that was told is gone, the data is reported as
  ///   ``LifecycleEvent/Loss/handoff(_:)``.
  public nonisolated func continueHandoff(
    _ activityType: String, with activity: UserActivity
  ) async throws(SceneError) {
    try await commands.perform(
      .handoff(.handoff(activityType, activity), activityType: activityType),
      RequestTicket.completion)
  }

  /// Tells the scene that was told of an activity of another device that its data will not come.
  ///
  /// - Throws: As ``continueHandoff(_:with:)``.
  public nonisolated func failHandoff(
    _ activityType: String, error: any Error & Sendable
  ) async throws(SceneError) {
    try await commands.perform(
      .handoff(.handoffFailure(activityType, error), activityType: activityType),
      RequestTicket.completion)
  }
}
