// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
internal import Proscenium

/// A clock that moves only when it is told to.
///
/// An application that runs by it (`ApplicationSettings.clock`) does nothing by time alone, so that
/// a test decides when a restoration has taken too long, and a run can be repeated exactly.
/// ```swift
/// let clock = ManualClock()
/// settings.clock = clock
/// clock.advance(by: .seconds(10))
/// ```
///
/// It can be used from any thread. Each sleeping task is kept until its time has come or it is
/// cancelled; there are never more of them than tasks.
public final class ManualClock: Clock, Sendable {
  /// A moment of a manual clock: how long after the clock's beginning it is.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made; the clock of an application begins at zero.
    public let offset: Duration

    /// Creates the moment that is `offset` after a clock's beginning.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the moment that is `duration` later; the earliest or the last one that there is if
    /// it would lie beyond.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.saturating(adding: duration))
    }

    /// Returns the time from this moment to another; negative if the other one is earlier.
    public func duration(to other: Instant) -> Duration {
      other.offset.saturating(subtracting: offset)
    }

    /// Tells whether the left moment is the earlier one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State: Sendable {
    var now = Instant()
    var nextKey: UInt64 = 0
    /// Earliest deadline first; with the same deadline, in the order in which they came.
    var sleepers: [SleepingTask] = []
  }

  private let state = Guarded(State())

  /// Creates a clock at its beginning.
  public init() {}

  /// The moment to which the clock was moved last.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest step that the clock distinguishes: one attosecond.
  public var minimumResolution: Duration { Duration(secondsComponent: 0, attosecondsComponent: 1) }

  /// How many tasks sleep by the clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock and wakes every task whose time has come, in the order of their deadlines.
  ///
  /// All of them are woken when this returns; none has run by then for certain. They see the time
  /// to which the clock was moved, not their own deadline.
  ///
  /// - Parameter duration: How far; zero or less moves nothing.
  public func advance(by duration: Duration) {
    guard duration > .zero else { return }
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let count = state.sleepers.prefix { $0.deadline <= now }.count
      defer { state.sleepers.removeFirst(count) }
      return Array(state.sleepers.prefix(count))
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Moves the clock to the next moment for which a task waits, and wakes every task that waits for
  /// it.
  ///
  /// - Returns: Whether there is one.
  @discardableResult
  public func advanceToNextDeadline() -> Bool {
    let (now, next) = state.withLock { ($0.now, $0.sleepers.first?.deadline) }
    guard let next else { return false }
    advance(by: now.duration(to: next))
    return true
  }

  /// Waits until the clock has been moved to a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment; one that has passed returns at once.
  ///   - tolerance: Is not used: a task is woken neither early nor late.
  /// - Throws: `CancellationError` if the task is cancelled, before or during the sleep.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let key = state.withLock { state in
      state.nextKey += 1
      return state.nextKey
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        keep(SleepingTask(key: key, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(key)
    }
  }

  private func keep(_ sleeper: SleepingTask) {
    let answer = state.withLock { state -> Result<Void, any Error>? in
      // A task that is cancelled later than here finds its sleeper kept.
      if Task.isCancelled { return .failure(CancellationError()) }
      if sleeper.deadline <= state.now { return .success(()) }
      let place =
        state.sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? state.sleepers.endIndex
      state.sleepers.insert(sleeper, at: place)
      return nil
    }
    if let answer { sleeper.continuation.resume(with: answer) }
  }

  private func cancel(_ key: UInt64) {
    let sleeper = state.withLock { state in
      state.sleepers.firstIndex { $0.key == key }.map { state.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}

/// A task that waits for a moment.
private struct SleepingTask: Sendable {
  let key: UInt64
  let deadline: ManualClock.Instant
  let continuation: CheckedContinuation<Void, any Error>
}

extension Duration {
  fileprivate func saturating(adding other: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    guard overflow else { return Duration(attoseconds: sum) }
    return Duration(attoseconds: other < .zero ? .min : .max)
  }

  fileprivate func saturating(subtracting other: Duration) -> Duration {
    let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    guard overflow else { return Duration(attoseconds: difference) }
    return Duration(attoseconds: other < .zero ? .max : .min)
  }
}
