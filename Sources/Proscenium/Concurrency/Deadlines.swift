// SPDX-License-Identifier: Apache-2.0

import DequeModule

/// When extended restorations have to be complete, earliest first.
///
/// All of them get the same time, so that they become due in the order in which they began. What is
/// due is taken out by whoever looks first: the task that sleeps until then, or a test that has
/// moved the clock and waits until nothing is left to do.
final class Deadlines: Sendable {
  /// A scene that has to have completed its restoration.
  struct Deadline: Sendable {
    let due: Duration
    let session: SessionHandle
    let scene: WeakScene
  }

  private struct State: Sendable {
    var waiting: Deque<Deadline> = []
    var doorbell = Doorbell()
  }

  private let state = Guarded(State())
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let limit: Duration

  init(limit: Duration, clock: any Clock<Duration>) {
    self.limit = limit
    self.clock = clock
    elapsed = clock.stopwatch()
  }

  /// Gives a scene its time from now on.
  func begin(_ scene: Scene, _ session: SessionHandle) {
    let deadline = Deadline(due: elapsed() + limit, session: session, scene: WeakScene(scene))
    let sleeper = state.withLock { state in
      state.waiting.append(deadline)
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  /// Takes out what is due.
  ///
  /// - Parameter post: Hands a deadline on. It is called with the lock held, so that nobody finds a
  ///   deadline gone that was not handed on yet.
  func takeDue(_ post: (Deadline) -> Void) {
    let now = elapsed()
    state.withLock { state in
      while let first = state.waiting.first, first.due <= now || first.scene.scene == nil {
        state.waiting.removeFirst()
        post(first)
      }
    }
  }

  /// Waits until something may be due; returns false once the task is cancelled.
  func waitForDue() async -> Bool {
    await withTaskCancellationHandler {
      await Sleeper.sleep { sleeper in
        state.withLock { state in
          guard state.waiting.isEmpty, !Task.isCancelled else { return false }
          state.doorbell.rest(sleeper)
          return true
        }
      }
    } onCancel: {
      state.withLock { $0.doorbell.ring() }?.wake()
    }
    guard let due = state.withLock({ $0.waiting.first?.due }) else { return !Task.isCancelled }
    let remaining = due - elapsed()
    if remaining > .zero { try? await clock.sleep(for: remaining) }
    return !Task.isCancelled
  }
}

/// A scene that may be gone.
///
/// An object, so that the items of a queue that hold one stay cheap to move: a weak reference knows
/// its own address.
final class WeakScene: Sendable {
  weak let scene: Scene?

  init(_ scene: Scene) {
    self.scene = scene
  }
}

extension Clock<Duration> {
  /// Returns a function that tells how much time has passed since now.
  func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
