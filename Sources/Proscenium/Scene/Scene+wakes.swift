// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Timers that survive.
extension Scene {
  /// The wakes that wait, in the order in which they are due.
  public var wakes: [Wake] { details.wakeList.wakes }

  /// Lets the session be given an activity at a date, whether or not it has a scene then.
  ///
  /// It is kept with the saved state, as what the callback that calls this changes: what comes of
  /// it survives together with it. A date that is over is due at once. At the date a scene is given
  /// the activity by `scene(_:continue:)`, where it is; a session without a scene is connected in
  /// the background, with the activity in its options. That is exactly once, also if the process
  /// ends in between: the wake is gone in the same commit that has the state in which the scene was
  /// after it.
  ///
  /// - Parameters:
  ///   - date: When, by ``ApplicationSettings/wallClock``, to the millisecond.
  ///   - activity: What the scene is given.
  /// - Returns: What names the wake among those of its session.
  /// - Throws: `limitExceeded` if 64 wakes wait, or if the saved state would be too large;
  ///   `stateUnreadable` or `stateUnavailable` if the saved state could not be opened yet.
  @discardableResult
  public func wake(at date: Date, _ activity: UserActivity) throws(SceneError) -> Wake.ID {
    try takeWithheldState()
    var session = session
    let id = try session.addWake(activity, at: Wake.time(of: date))
    try context.check(sizeOf: session.details, of: persistentIdentifier)
    let list = session.details.wakeList
    change { $0.wakeList = list }
    return id
  }

  /// Cancels a wake: the activity is not given.
  ///
  /// - Parameter id: What names the wake.
  /// - Returns: Whether it waited; false if it was given or cancelled before, or never was.
  @discardableResult
  public func cancelWake(_ id: Wake.ID) -> Bool {
    var list = details.wakeList
    guard list.remove(id) else { return false }
    change { $0.wakeList = list }
    return true
  }
}

extension SceneSession {
  /// Adds a wake.
  ///
  /// - Throws: `limitExceeded` if there are as many as there may be.
  mutating func addWake(
    _ activity: UserActivity, at time: Int64
  ) throws(SceneError) -> Wake.ID {
    var list = details.wakeList
    guard let id = list.add(activity, at: time) else {
      throw SceneError(
        .limitExceeded, session: persistentIdentifier,
        "expected at most \(WakeList.limit) wakes of a session, this would be one more")
    }
    details.wakeList = list
    return id
  }

  /// Removes a wake; returns whether it was there.
  mutating func removeWake(_ id: Wake.ID) -> Bool {
    var list = details.wakeList
    guard list.remove(id) else { return false }
    details.wakeList = list
    return true
  }
}
