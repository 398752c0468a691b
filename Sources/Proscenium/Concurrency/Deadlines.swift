// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// When something has to have happened, earliest first: a scene's restoration completed, its state
/// captured, or the user of a session's line come back.
///
/// What is due is taken out by the first that looks: the task that sleeps until then, or a test
/// that has moved the clock and waits until nothing is left to do.
final class Deadlines: Sendable {
  /// What has to have happened.
  enum Purpose: Sendable {
    case restoration
    /// With the time of the mark that asked for it.
    case capture(markedAt: Duration)
    /// The user of a session's line has not come back.
    case absence(Absence)
  }

  /// A scene to which something has to have happened.
  struct Deadline: Sendable, Comparable {
    let due: Duration
    /// Decides among equals: the order in which they began.
    let number: UInt64
    let session: SessionHandle
    /// What the deadline is for; it is over when its owner is gone.
    let owner: WeakReference
    let purpose: Purpose

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    static func < (left: Self, right: Self) -> Bool {
      (left.due, left.number) < (right.due, right.number)
    }
  }

  private struct State: Sendable {
    var waiting = BinaryHeap<Deadline>()
    var count: UInt64 = 0
    /// When the task that serves wakes by itself; nil while it does not sleep on the clock.
    var wakesAt: Duration?
    var doorbell = Doorbell()
  }

  private let state = Guarded(State())
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration

  init(clock: any Clock<Duration>) {
    self.clock = clock
    elapsed = clock.stopwatch()
  }

  /// Gives a scene the time to complete its restoration, from now on.
  func beginRestoration(
    of owner: any AnyObject & Sendable, _ session: SessionHandle, limit: Duration
  ) {
    begin(.restoration, owner, session, elapsed() + limit)
  }

  /// Lets a scene be captured after a time, from now on.
  func beginCapture(
    of owner: any AnyObject & Sendable, _ session: SessionHandle, after delay: Duration
  ) {
    let now = elapsed()
    begin(.capture(markedAt: now), owner, session, now + delay)
  }

  /// Lets the user of a line come back in time, from now on.
  func beginAbsence(
    _ absence: Absence, of line: any AnyObject & Sendable, _ session: SessionHandle,
    limit: Duration
  ) {
    begin(.absence(absence), line, session, elapsed() + limit)
  }

  private func begin(
    _ purpose: Purpose, _ owner: any AnyObject & Sendable, _ session: SessionHandle, _ due: Duration
  ) {
    let owner = WeakReference(owner)
    let sleeper = state.withLock { state -> Sleeper? in
      state.count += 1
      state.waiting.insert(
        Deadline(
          due: due, number: state.count, session: session, owner: owner, purpose: purpose))
      // One that sleeps until something earlier needs not know.
      if let wakesAt = state.wakesAt, wakesAt <= due { return nil }
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  /// Takes out what is due.
  ///
  /// - Parameter post: Hands a deadline on. It is called with the lock held, so that no one finds a
  ///   deadline gone that was not handed on yet.
  func takeDue(_ post: (Deadline) -> Void) {
    let now = elapsed()
    state.withLock { state in
      while let first = state.waiting.min, first.due <= now || first.owner.object == nil {
        post(state.waiting.removeMin())
      }
    }
  }

  /// Waits until something may be due; returns false once the task is cancelled.
  func waitForDue() async -> Bool {
    let due = state.withLock { state in
      state.wakesAt = state.waiting.min?.due
      return state.wakesAt
    }
    if let due, due <= elapsed() { return !Task.isCancelled }
    await clock.wait(atMost: due.map { $0 - elapsed() }) { await self.rest(unless: due) }
    return !Task.isCancelled
  }

  /// Sleeps until something earlier begins, or the task is cancelled.
  private func rest(unless due: Duration?) async {
    await withTaskCancellationHandler {
      await Sleeper.sleep { sleeper in
        state.withLock { state in
          guard state.waiting.min?.due == due, !Task.isCancelled else { return false }
          state.doorbell.rest(sleeper)
          return true
        }
      }
    } onCancel: {
      state.withLock { $0.doorbell.ring() }?.wake()
    }
  }
}

/// How long a client has been without a line.
struct Absence: Sendable, Equatable {
  /// Which of the line's absences it is: one that is over has no consequence.
  let number: UInt64
  /// Whether its frames are not kept any longer; otherwise only the scene leaves the foreground.
  let isLong: Bool
}

/// An object that may be gone.
final class WeakReference: Sendable {
  weak let object: (any AnyObject & Sendable)?

  init(_ object: any AnyObject & Sendable) {
    self.object = object
  }
}
