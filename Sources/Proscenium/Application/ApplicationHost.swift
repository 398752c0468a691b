// SPDX-License-Identifier: Apache-2.0

/// What users and the system do to an application's sessions.
///
/// UIKit's host is the operating system. Here the embedding program plays both: a server opens a
/// session when a browser tab appears and sends it to the background when the tab is hidden.
public struct ApplicationHost: Sendable {
  let application: Application

  /// The user picks a session: it comes to the foreground.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - hold: Whether the scene stops before it is active, as while an opening animation runs;
  ///     ``resume(_:)`` or ``background(_:)`` goes on from there.
  /// - Throws: `sessionNotOpen`, `restorationTimedOut`, `systemBusy` or `notRunning`.
  public func open(
    _ session: some SessionNaming, hold: Bool = false
  ) async throws(SceneError) {
    try await perform(.open(session.persistentIdentifier, hold: hold))
  }

  /// The user opens a new window.
  ///
  /// - Returns: The new session, in the foreground.
  /// - Throws: `multipleScenesNotSupported`, `quotaReached`, `roleMismatch`, `systemBusy` or
  ///   `notRunning`.
  @discardableResult
  public func newWindow(
    _ role: SceneSession.Role = .windowApplication, group: SceneGroup? = nil
  ) async throws(SceneError) -> SceneSession {
    try await application.perform(
      Command(.newWindow(role, group: group)), RequestTicket.session)
  }

  /// The user drops an activity: a new window opens with it, whoever prefers its content (R-DD-2).
  ///
  /// - Returns: The new session, in the foreground; nil if the manifest declares activity types and
  ///   this is none of them, which is reported as `undeclaredActivityType` (R-DD-1).
  /// - Throws: As ``newWindow(_:group:)``.
  @discardableResult
  public func drop(_ activity: UserActivity) async throws(SceneError) -> SceneSession? {
    try await application.performOptional(Command(.drop(activity)), RequestTicket.session)
  }

  /// The user drops a URL: a new window opens with it.
  ///
  /// - Returns: The new session, in the foreground.
  /// - Throws: As ``newWindow(_:group:)``.
  @discardableResult
  public func drop(_ url: OpenURLContext) async throws(SceneError) -> SceneSession {
    try await application.perform(Command(.dropURL(url)), RequestTicket.session)
  }

  /// The user closes a session for good.
  ///
  /// What it means for the last open session, ``ApplicationSettings/lastSessionClose`` says.
  ///
  /// - Throws: `sessionNotOpen` or `notRunning`.
  public func close(_ session: some SessionNaming) async throws(SceneError) {
    try await perform(.close(session.persistentIdentifier))
  }

  /// The scene leaves the screen: background and state capture (section 2.4).
  ///
  /// A session that ends when the user dismisses it, ends (R-DC-1).
  ///
  /// - Throws: `sessionNotOpen` or `notRunning`.
  public func background(_ session: some SessionNaming) async throws(SceneError) {
    try await perform(.background(session.persistentIdentifier))
  }

  /// Something covers the scene: it becomes inactive.
  ///
  /// - Throws: `sessionNotOpen` or `notRunning`.
  public func interrupt(_ session: some SessionNaming) async throws(SceneError) {
    try await perform(.interrupt(session.persistentIdentifier))
  }

  /// The interruption is over.
  ///
  /// - Throws: `sessionNotOpen`, `systemBusy` or `notRunning`.
  public func resume(_ session: some SessionNaming) async throws(SceneError) {
    try await perform(.resume(session.persistentIdentifier))
  }

  /// The system takes the memory of a scene; its session stays (section 2.5).
  ///
  /// - Throws: `notInBackground` if the scene is in the foreground (R-DIS-1), `sessionNotOpen` or
  ///   `notRunning`.
  public func disconnect(_ session: some SessionNaming) async throws(SceneError) {
    try await perform(.disconnect(session.persistentIdentifier))
  }

  /// The system connects a session in the background, where it is not seen; one that has a scene is
  /// left alone.
  ///
  /// - Throws: `sessionNotOpen`, `systemBusy` or `notRunning`.
  public func connect(_ session: some SessionNaming) async throws(SceneError) {
    try await perform(.connect(session.persistentIdentifier))
  }

  private func perform(_ command: HostCommand) async throws(SceneError) {
    try await application.perform(Command(command), RequestTicket.completion)
  }

  /// Submits a command, as ``Application/submit(_:onFailure:)`` does a request.
  public func submit(
    _ command: HostCommand, onFailure: (@Sendable (SceneError) -> Void)? = nil
  ) {
    application.submit(Command(command), onFailure)
  }
}

extension Application {
  /// What users and the system do to the application's sessions.
  public nonisolated var host: ApplicationHost { ApplicationHost(application: self) }
}
