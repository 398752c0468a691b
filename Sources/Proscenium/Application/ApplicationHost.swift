// SPDX-License-Identifier: Apache-2.0

/// What users and the system do to an application's sessions.
///
/// UIKit's host is the operating system. Here the embedding program plays both: a server opens a
/// session when a browser tab appears and sends it to the background when the tab is hidden.
public struct ApplicationHost: Sendable {
  let application: Application

  /// Carries out a command and returns when it has run.
  ///
  /// - Throws: `sessionNotOpen`, `systemBusy` or `notRunning`; `notInBackground` if a scene in the
  ///   foreground was to be disconnected (R-DIS-1); `restorationTimedOut` if one that was to come
  ///   to the foreground took too long. Commands about several sessions throw `notRunning` alone.
  public func perform(_ command: HostCommand) async throws(SceneError) {
    switch Command.decoded(command) {
    case .one(let command):
      _ = try await application.commands.performOptional(command, RequestTicket.completion)
    case .several(let choose): try await application.commands.performAll(choose)
    }
  }

  /// Submits a command, as ``Application/submit(_:onFailure:)`` does a request.
  ///
  /// Of commands about several sessions no failure is told.
  public func submit(
    _ command: HostCommand, onFailure: (@Sendable (SceneError) -> Void)? = nil
  ) {
    switch Command.decoded(command) {
    case .one(let command): application.commands.submit(command, onFailure)
    case .several(let choose): application.commands.submitAll(choose)
    }
  }

  /// Carries out ``HostCommand/newSession(_:group:owner:)``.
  ///
  /// - Returns: The new session, in the foreground.
  /// - Throws: `multipleScenesNotSupported`, `quotaReached`, `roleMismatch`, `limitExceeded` for an
  ///   owner of more than ``SceneSession/ownerSizeLimit`` bytes, `systemBusy` or `notRunning`.
  @discardableResult
  public func newSession(
    _ role: SceneSession.Role = .windowApplication, group: SceneGroup? = nil,
    owner: String? = nil
  ) async throws(SceneError) -> SceneSession {
    try await application.commands.perform(
      .newSession(Command.NewSession(role: role, group: group, owner: owner)),
      RequestTicket.session)
  }

  /// Carries out ``HostCommand/drop(_:)``.
  ///
  /// - Returns: The new session, in the foreground; nil if the manifest declares activity types and
  ///   this is none of them, which is reported as `undeclaredActivityType` (R-DD-1).
  /// - Throws: As ``newSession(_:group:owner:)``.
  @discardableResult
  public func drop(_ activity: UserActivity) async throws(SceneError) -> SceneSession? {
    try await application.commands.performOptional(
      .drop(.activity(activity)), RequestTicket.session)
  }

  /// Carries out ``HostCommand/dropURL(_:)``.
  ///
  /// - Returns: The new session, in the foreground.
  /// - Throws: As ``newSession(_:group:owner:)``.
  @discardableResult
  public func drop(_ url: OpenURLContext) async throws(SceneError) -> SceneSession {
    try await application.commands.perform(.drop(.url(url)), RequestTicket.session)
  }

  /// Carries out ``HostCommand/relievePressure(count:)``.
  ///
  /// - Returns: The sessions whose scenes were disconnected.
  /// - Throws: `notRunning`.
  @discardableResult
  public func relievePressure(count: Int) async throws(SceneError) -> [SessionIdentifier] {
    try await application.commands.performAll(Command.victims(count)).map(\.persistentIdentifier)
  }
}

extension Application {
  /// What users and the system do to the application's sessions.
  public nonisolated var host: ApplicationHost { ApplicationHost(application: self) }
}
