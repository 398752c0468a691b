// SPDX-License-Identifier: Apache-2.0

/// What users and the system do to an application's sessions.
///
/// UIKit's host is the operating system. Here the embedding program plays both: a server opens a
/// session when a browser tab appears and sends it to the background when the tab is hidden.
public struct ApplicationHost: Sendable {
  let application: Application

  /// The user picks a session: it comes to the foreground.
  ///
  /// - Throws: `requestDenied`, `systemBusy` or `notRunning`.
  public func open(_ session: some SessionNaming) async throws(SceneError) {
    try await application.perform(Command(.open(session.persistentIdentifier)))
  }

  /// The user opens a new window.
  ///
  /// - Returns: The new session, in the foreground.
  /// - Throws: `multipleScenesNotSupported`, `requestDenied`, `roleMismatch`, `systemBusy` or
  ///   `notRunning`.
  @discardableResult
  public func newWindow(
    _ role: SceneSession.Role = .windowApplication, group: SceneGroup? = nil
  ) async throws(SceneError) -> SceneSession {
    try await application.perform(Command(.newWindow(role, group: group)))
  }

  /// The user closes a session for good.
  ///
  /// - Throws: `requestDenied` or `notRunning`.
  public func close(_ session: some SessionNaming) async throws(SceneError) {
    try await application.perform(Command(.close(session.persistentIdentifier)))
  }

  /// The scene leaves the screen: background and state capture (section 2.4).
  ///
  /// - Throws: `requestDenied` or `notRunning`.
  public func background(_ session: some SessionNaming) async throws(SceneError) {
    try await application.perform(Command(.background(session.persistentIdentifier)))
  }

  /// Something covers the scene: it becomes inactive.
  ///
  /// - Throws: `requestDenied` or `notRunning`.
  public func interrupt(_ session: some SessionNaming) async throws(SceneError) {
    try await application.perform(Command(.interrupt(session.persistentIdentifier)))
  }

  /// The interruption is over.
  ///
  /// - Throws: `requestDenied`, `systemBusy` or `notRunning`.
  public func resume(_ session: some SessionNaming) async throws(SceneError) {
    try await application.perform(Command(.resume(session.persistentIdentifier)))
  }

  /// The system takes the memory of a scene; its session stays (section 2.5).
  ///
  /// - Throws: `notInBackground` if the scene is in the foreground (R-DIS-1), `requestDenied` or
  ///   `notRunning`.
  public func disconnect(_ session: some SessionNaming) async throws(SceneError) {
    try await application.perform(Command(.disconnect(session.persistentIdentifier)))
  }

  /// Disconnects scenes in the background, least recently active first (R-DIS-4).
  ///
  /// - Parameter count: How many at most.
  /// - Returns: The sessions whose scenes were disconnected.
  /// - Throws: `notRunning`.
  @discardableResult
  public func relievePressure(count: Int) async throws(SceneError) -> [SessionIdentifier] {
    let core = application.core
    await core.launched()
    let victims = try core.gate.withLock { (gate) throws(SceneError) in
      guard gate.phase == .running else { throw ApplicationCore.notRunning }
      return gate.ledger.pressureVictims(count: count, identifier: core.identifier)
        .map(core.identifier)
    }
    var relieved: [SessionIdentifier] = []
    for victim in victims {
      do {
        try await disconnect(victim)
        relieved.append(victim)
      } catch {
        // It came to the foreground, or ended, between the choice and its turn.
        guard error.code == .notInBackground || error.code == .requestDenied else { throw error }
      }
    }
    return relieved
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
