// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// When the next wake of each session is due, earliest first.
///
/// Dates are those of a wall clock, which may be set during a sleep: the task that serves
/// sleeps by the clock of the settings, and looks at the wall clock at least once a minute. Without
/// wakes it sleeps until there is one.
final class WakeSchedule: Sendable {
  /// The longest time after which the wall clock is looked at again.
  static let longestSleep = Duration.seconds(60)

  private struct Entry: Sendable, Comparable {
    let time: Int64
    let session: SessionHandle

    static func < (left: Self, right: Self) -> Bool {
      (left.time, left.session.rawValue) < (right.time, right.session.rawValue)
    }
  }

  private struct State: Sendable {
    /// Also has what does not hold any more.
    var waiting = BinaryHeap<Entry>()
    /// What holds.
    var times: [SessionHandle: Int64] = [:]
    /// What the task that serves sleeps for; nil while it does not sleep on the clock.
    var sleepsFor: Int64?
    var doorbell = Doorbell()

    /// The earliest entry that holds; those before it are dropped.
    mutating func first() -> Entry? {
      while let first = waiting.min {
        if times[first.session] == first.time { return first }
        waiting.removeMin()
      }
      return nil
    }
  }

  private let state = Guarded(State())
  private let clock: any Clock<Duration>
  private let wallTime: @Sendable () -> Int64

  /// Creates an empty schedule.
  ///
  /// - Parameters:
  ///   - clock: By which it sleeps.
  ///   - wallTime: The time of the wall clock, in milliseconds since 1970.
  init(clock: any Clock<Duration>, wallTime: @escaping @Sendable () -> Int64) {
    self.clock = clock
    self.wallTime = wallTime
  }

  /// The time of the wall clock, in milliseconds since 1970.
  var now: Int64 { wallTime() }

  /// How many sessions have a wake that waits.
  var count: Int { state.withLock { $0.times.count } }

  /// How many entries are held, also those that do not hold any more.
  var entryCount: Int { state.withLock { $0.waiting.count } }

  /// Notes when a session's next wake is due, or that it has none.
  func set(_ session: SessionHandle, _ time: Int64?) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard state.times[session] != time else { return nil }
      state.times[session] = time
      guard let time else { return nil }
      state.waiting.insert(Entry(time: time, session: session))
      if state.waiting.count > 2 * state.times.count + 64 {
        // The order of the dictionary does not matter: entries are taken by theirs.
        state.waiting = BinaryHeap(state.times.map { Entry(time: $0.value, session: $0.key) })
      }
      if let sleepsFor = state.sleepsFor, sleepsFor <= time { return nil }
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  /// Takes out the sessions whose wake is due.
  ///
  /// - Parameter admit: Hands a session on, or returns nil if there is no room for it now: then it
  ///   stays, with everything that is due after it. It is called with the lock held, so that no one
  ///   finds a session gone that was not handed on yet.
  /// - Returns: What `admit` returned, in the order in which the wakes were due, and whether
  ///   nothing is left that is due.
  func takeDue<Result: Sendable>(
    _ admit: (SessionHandle, _ now: Int64) -> Result?
  ) -> (results: [Result], isAll: Bool) {
    state.withLock { state in
      var results: [Result] = []
      guard state.first() != nil else { return (results, true) }
      let now = wallTime()
      while let first = state.first(), first.time <= now {
        guard let result = admit(first.session, now) else { return (results, false) }
        state.waiting.removeMin()
        state.times[first.session] = nil
        results.append(result)
      }
      return (results, true)
    }
  }

  /// Waits until something may be due; returns false once the task is cancelled.
  func waitForDue() async -> Bool {
    let time = state.withLock { state in
      state.sleepsFor = state.first()?.time
      return state.sleepsFor
    }
    let left = time.map { $0 - wallTime() }
    if let left, left <= 0 { return !Task.isCancelled }
    let sleep = left.map { min(.milliseconds($0), Self.longestSleep) }
    await clock.wait(atMost: sleep) { await self.rest(unless: time) }
    return !Task.isCancelled
  }

  /// Sleeps until something earlier is scheduled, or the task is cancelled.
  private func rest(unless time: Int64?) async {
    await withTaskCancellationHandler {
      await Sleeper.sleep { sleeper in
        state.withLock { state in
          guard state.first()?.time == time, !Task.isCancelled else { return false }
          state.doorbell.rest(sleeper)
          return true
        }
      }
    } onCancel: {
      state.withLock { $0.doorbell.ring() }?.wake()
    }
  }
}
