// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit
public import ProsceniumUIKit

// What the user does.
extension UIKitDevice {
  /// The user opens a new window, which comes to the foreground.
  ///
  /// - Parameter role: What it is for.
  /// - Returns: Its session.
  /// - Throws: `SceneError` if there may be no further one; `notRunning` as `TestDeviceError`;
  ///   `fault`, as all functions of a device that runs.
  @discardableResult
  public func newWindow(
    _ role: UISceneSession.Role = .windowApplication
  ) async throws -> UISceneSession {
    let session = try await carryOut { try await device.host.newSession(role.value) }
    return try application.session(session)
  }

  /// The user picks a window in the switcher: it comes to the foreground.
  ///
  /// - Parameter session: Its session.
  /// - Throws: `SceneError` if it is not open.
  public func activate(_ session: UISceneSession) async throws {
    try await perform(.open(session.identifier))
  }

  /// The user leaves the program: every scene in the foreground goes to the background.
  ///
  /// - Throws: `notRunning` as `TestDeviceError`.
  public func home() async throws {
    try await perform(.backgroundAll)
  }

  /// The user covers one window with another program's: it goes to the background.
  ///
  /// - Parameter session: Its session.
  /// - Throws: `SceneError` if it is not open.
  public func background(_ session: UISceneSession) async throws {
    try await perform(.background(session.identifier))
  }

  /// Something covers a window, such as a call: it becomes inactive.
  ///
  /// - Parameter session: Its session.
  /// - Throws: `SceneError` if it is not open.
  public func interrupt(_ session: UISceneSession) async throws {
    try await perform(.interrupt(session.identifier))
  }

  /// What covered a window is gone.
  ///
  /// - Parameter session: Its session.
  /// - Throws: `SceneError` if it is not open.
  public func resume(_ session: UISceneSession) async throws {
    try await perform(.resume(session.identifier))
  }

  /// The user closes a window for good: in the switcher of the program that runs, or while it does
  /// not run, of which it learns at its next launch (R-DST-4).
  ///
  /// - Parameter session: Its session, which may be the object of a process that is gone.
  /// - Throws: `SceneError` if the program runs and it is not open.
  public func close(_ session: UISceneSession) async throws {
    guard isRunning else { return try device.discardWhileDown(session.identifier) }
    try await perform(.close(session.identifier))
  }

  /// The user drags something to the edge of the screen: a new window opens with it (R-DD-2).
  ///
  /// - Parameter activity: The activity of what is dragged.
  /// - Returns: The session; nil if the activity's type is not declared (R-DD-1).
  /// - Throws: `SceneError` if there may be no further one.
  @discardableResult
  public func drop(_ activity: NSUserActivity) async throws -> UISceneSession? {
    let value = activity.value
    let session = try await carryOut { try await device.host.drop(value) }
    return session.flatMap { program.application?.session($0) }
  }

  func perform(_ command: HostCommand) async throws {
    try await carryOut { try await device.host.perform(command) }
  }
}
