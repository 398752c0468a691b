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
  /// ends meanwhile: the wake is gone in the same commit that has the state in which the scene was
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
    try checkSize(of: session.details)
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

  // MARK: - When one is due

  /// Takes out the first wake that is due, for a scene that connects.
  func takeDueWake() -> Wake? {
    let wake = details.wakeList.due(by: context.services.wakes.now).first
    return wake.flatMap { take($0.id) }
  }

  /// Gives the delegate what is due now, one after the other, and captures what came of it.
  ///
  /// What it adds meanwhile is left for the next time, and what it cancels is not given.
  func deliverWakes() {
    do throws(SceneError) {
      try takeWithheldState()
    } catch {
      return context.events.report(persistentIdentifier, .failed(error))
    }
    for due in details.wakeList.due(by: context.services.wakes.now) {
      guard !context.services.writer.isAbandoned, let wake = take(due.id) else { continue }
      isUnhandled = false
      callee?.scene(self, continue: wake.activity)
      if isUnhandled || callee == nil { reportUnhandled() }
    }
    // In one change with the removal, so that both are durable or none is. A state that is refused
    // leaves the last good one, without the wake.
    if marks[.isDirty] { captureState(isPrompt: true) }
    context.services.wakes.set(context.handle(slot), details.wakeList.next)
  }

  /// Takes a wake out; nil if it was cancelled.
  private func take(_ id: Wake.ID) -> Wake? {
    var list = details.wakeList
    guard let wake = list[id], list.remove(id) else { return nil }
    change { $0.wakeList = list }
    lifecycle.owesCapture = true
    marks[.isDirty] = true
    context.events.report(persistentIdentifier, .woken(id))
    return wake
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
