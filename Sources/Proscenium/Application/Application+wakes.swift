// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Timers that survive.
extension Application {
  /// Lets a session be given an activity at a date, and returns once that is durable.
  ///
  /// What it returned survives the end of the process at any moment. At the date the session's
  /// scene is given the activity by `scene(_:continue:)`, where it is: nothing comes to the
  /// foreground. A session without a scene is connected in the background, with the activity in
  /// its options. That is exactly once, see ``Scene/wake(at:_:)``. A date that is over is due at
  /// once; one that comes while no application runs is due at the next launch.
  ///
  /// - Parameters:
  ///   - session: The session; it gets no scene by this.
  ///   - date: When, by ``ApplicationSettings/wallClock``, to the millisecond.
  ///   - activity: What the scene is given.
  /// - Returns: What names the wake among those of its session.
  /// - Throws: `limitExceeded` if 64 wakes of the session wait, or if its saved state would be too
  ///   large, `sessionNotOpen` if it is not open, `stateUnreadable` or `stateUnavailable` if its
  ///   saved state cannot be opened, or `notRunning`: there is no wake then. `notDurable` if the
  ///   store refused it, or the application ended before the commit: then there may be one.
  public nonisolated func wake(
    _ session: SessionIdentifier, at date: Date, _ activity: UserActivity
  ) async throws(SceneError) -> Wake.ID {
    let time = Wake.time(of: date)
    return try await commands.changeDurably(session) { session throws(SceneError) in
      try session.addWake(activity, at: time)
    }
  }

  /// Cancels a wake, and returns once that is durable.
  ///
  /// - Parameters:
  ///   - id: What names the wake.
  ///   - session: The session.
  /// - Returns: Whether the wake waited; false if it was given or cancelled before, or never was.
  /// - Throws: As ``wake(_:at:_:)``, but for the limits.
  @discardableResult
  public nonisolated func cancelWake(
    _ id: Wake.ID, of session: SessionIdentifier
  ) async throws(SceneError) -> Bool {
    try await commands.changeDurably(session) { $0.removeWake(id) }
  }
}
